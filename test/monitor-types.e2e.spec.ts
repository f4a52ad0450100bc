import { createServer, type TlsOptions } from 'node:tls';
import { type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROBES, unavailability } from '../src/probes/index.js';
import { pingProbe } from '../src/probes/ping.probe.js';
import { startApp, type TestApp } from './support/app.js';
import { canPing } from './support/can-ping.js';
import { type Client } from './support/client.js';
import { checkNow, createMonitor, getMonitor, untilStatus } from './support/monitors.js';
import { NXDOMAIN, rdata, startNameServer, type NameServer } from './support/name-server.js';
import { testCertificate } from './support/raw-target.js';

let app: TestApp;
let api: Client;
let nameServer: NameServer;
beforeAll(async () => {
  // Unlike any address of this machine, TEST-NET-1 never responds.
  [app, nameServer] = await Promise.all([
    startApp({ ALLOW_PRIVATE_TARGETS: '127.0.0.0/8,192.0.2.0/24' }),
    startNameServer(),
  ]);
  api = app.api(app.teams.ours.write);
});
afterAll(async () => {
  await app.close();
  await nameServer.close();
});

const each = { name: 'A monitor', intervalSeconds: 1, timeoutMs: 1_000 };

/** Starts a TLS server on a free port of 127.0.0.1. */
async function startTlsServer(options: TlsOptions): Promise<{ port: number; close(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer(options, (socket) => socket.on('error', () => undefined).resume());
  server.on('connection', (socket: Socket) => {
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = (): Promise<void> => {
    for (const socket of open) socket.destroy();
    return new Promise((done) => server.close(() => done()));
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** Returns the errors of a rejected definition as `pointer code`. */
async function refusal(definition: Record<string, unknown>): Promise<string[]> {
  const { status, body } = await api.post('/v1/monitors', { ...each, ...definition });
  expect(status).toBe(422);
  return (body as unknown as { errors: { pointer: string; code: string }[] }).errors.map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );
}

describe('a monitor of type tls', () => {
  it('is up, and down after its target has stopped', async () => {
    const target = await startTlsServer(testCertificate('self-signed'));
    const made = await createMonitor(api, {
      ...each,
      type: 'tls',
      host: 'localhost',
      port: target.port,
      verifyTls: false,
      assertions: [{ source: 'tlsDaysLeft', comparison: 'greaterThan', target: 14 }],
    });
    expect(made).toMatchObject({ type: 'tls', host: 'localhost', verifyTls: false, url: null, port: target.port });
    await untilStatus(api, made.id, 'up');
    expect(await checkNow(api, made.id)).toMatchObject({ status: 'up', timings: { tlsMs: expect.any(Number) } });
    await target.close();
    expect(await untilStatus(api, made.id, 'down')).toMatchObject({ lastError: { code: 'connect_refused' } });
  });

  it('by default uses port 443 and verifies the certificate', async () => {
    const target = await startTlsServer(testCertificate('self-signed'));
    const made = await createMonitor(api, { ...each, type: 'tls', host: 'localhost', paused: true });
    expect(made).toMatchObject({ port: 443, verifyTls: true, assertions: [] });
    await api.patch(`/v1/monitors/${made.id}`, { port: target.port });
    expect(await checkNow(api, made.id)).toMatchObject({ status: 'down', error: { code: 'tls_untrusted' } });
    await target.close();
  });
});

describe('a monitor of type dns', () => {
  const dns = (recordType: string, more: object = {}) => ({
    ...each,
    type: 'dns',
    host: 'x.example',
    settings: { recordType, nameserver: nameServer.at },
    ...more,
  });

  it('is up, and down after the record was removed', async () => {
    nameServer.zone['x.example/MX'] = [rdata.mx(10, 'mail.example')];
    const made = await createMonitor(api, dns('MX'));
    expect(made).toMatchObject({ host: 'x.example', settings: { recordType: 'MX', nameserver: nameServer.at } });
    await untilStatus(api, made.id, 'up');
    nameServer.zone['x.example/MX'] = NXDOMAIN;
    expect(await untilStatus(api, made.id, 'down')).toMatchObject({ lastError: { code: 'dns_not_found' } });
  });

  it('is down if the record differs, and stores arbitrary bytes of a record', async () => {
    nameServer.zone['x.example/TXT'] = [
      rdata.txt(Buffer.from([0]), 'x'.repeat(193), '🙂'),
      rdata.txt(Buffer.from([0xff])),
    ];
    const assertions = [{ source: 'dnsRecord', property: 'TXT', comparison: 'equals', target: '🙂'.repeat(200) }];
    const made = await createMonitor(api, dns('TXT', { assertions, paused: true }));
    const check = await checkNow(api, made.id);
    expect(check).toMatchObject({ status: 'down', error: { code: 'assertion_failed' } });
    expect(check.failedAssertions).toEqual([{ index: 0, actual: expect.stringContaining('\\000xxx') }]);
  });

  it('accepts partial settings and returns all of them', async () => {
    const settings = { recordType: 'A' };
    const made = await createMonitor(api, { ...dns('A'), settings, paused: true });
    const complete = { recordType: 'A', nameserver: null, transport: 'udp', dnssec: false, expectedRecords: null };
    expect(made.settings).toEqual(complete);
    const patched = await api.patch(`/v1/monitors/${made.id}`, { settings: { nameserver: '192.0.2.53' } });
    expect(patched).toMatchObject({ status: 200, body: { settings: { recordType: 'A', nameserver: '192.0.2.53' } } });
    const definition = await api.get<Record<string, unknown>>(`/v1/monitors/${made.id}/definition`);
    expect((await api.put(`/v1/monitors/${made.id}`, definition.body)).status).toBe(200);
    const cleared = await api.patch(`/v1/monitors/${made.id}`, { settings: { nameserver: null } });
    expect(cleared).toMatchObject({ status: 200, body: { settings: { recordType: 'A', nameserver: null } } });
    expect((await api.patch(`/v1/monitors/${made.id}`, { settings: { recordType: null } })).status).toBe(422);
    expect((await api.patch(`/v1/monitors/${made.id}`, { settings: null })).status).toBe(422);
  });

  it.each([
    [{ settings: { recordType: 'A', nameserver: '10.0.0.1' } }, '/settings/nameserver address_blocked'],
    [{ settings: { recordType: 'A', nameserver: '169.254.169.254:53' } }, '/settings/nameserver address_blocked'],
    [{ settings: { recordType: 'A', nameserver: '[::ffff:10.0.0.1]:53' } }, '/settings/nameserver address_blocked'],
    [{ settings: { recordType: 'A', nameserver: '0x0a000001' } }, '/settings/nameserver invalid_value'],
    [{ settings: { recordType: 'PTR' }, host: '10.0.0.1' }, '/host address_blocked'],
    [{ settings: { recordType: 'A' }, host: '127.0.0.1' }, '/host invalid_value'],
    [{ settings: { recordType: 'A', extra: 1 } }, '/settings/extra unknown_field'],
    [{ settings: null }, '/settings required'],
    [{ settings: undefined }, '/settings required'],
    [{ port: 53 }, '/port not_applicable'],
    [{ assertions: [{ source: 'dnsRecord', property: 'MX', comparison: 'exists' }] }, '/assertions/0 invalid_value'],
  ])('is rejected with %j: %s', async (more, fault) => expect(await refusal(dns('A', more))).toEqual([fault]));
});

describe('a monitor of type ping', () => {
  // Reported as skipped if this machine has no program to ping with.
  (canPing() ? it : it.skip)('is up, and down after its target stopped responding', async () => {
    const made = await createMonitor(api, { ...each, type: 'ping', host: '127.0.0.1' });
    await untilStatus(api, made.id, 'up');
    expect(await checkNow(api, made.id)).toMatchObject({ status: 'up', remoteAddress: '127.0.0.1' });
    // Addresses of this machine always respond: change the target instead.
    expect((await api.patch(`/v1/monitors/${made.id}`, { host: '192.0.2.254' })).status).toBe(200);
    const { lastError } = await untilStatus(api, made.id, 'down');
    expect(lastError?.code).toMatch(/^(timeout|connect_failed)$/);
  });

  (unavailability(pingProbe) === null ? it.skip : it)(
    'is rejected without a ping program, as is its trial',
    async () => {
      const definition = { ...each, type: 'ping', host: '127.0.0.1' };
      expect(await refusal(definition)).toEqual(['/type unavailable']);
      expect(await api.post('/v1/monitors/test', definition)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/type', detail: expect.stringContaining('install the package fping') }] },
      });
    },
  );

  (unavailability(pingProbe) === null ? it.skip : it)('that exists remains writable, and is unknown', async () => {
    const made = await createMonitor(api, { ...each, type: 'tcp', host: '127.0.0.1', port: 9, paused: true });
    // As if it had been created while there was a program.
    const definition = { ...pingProbe.defaults, host: '127.0.0.1' };
    await app.query(`UPDATE monitors SET type = 'ping', definition = $2 WHERE id = $1`, [made.id, definition]);
    expect((await api.patch(`/v1/monitors/${made.id}`, { name: 'Renamed' })).status).toBe(200);
    expect(await checkNow(api, made.id)).toMatchObject({ status: 'unknown', error: { code: 'checker_error' } });
    expect(await getMonitor(api, made.id)).toMatchObject({ name: 'Renamed', status: 'paused' });
  });
});

describe('every monitor type', () => {
  it('has documented examples of itself and its assertions that the service accepts', async () => {
    for (const probe of PROBES) {
      const { type } = probe;
      const title = type.charAt(0).toUpperCase() + type.slice(1);
      const [create, assertion] = [`${title}MonitorCreate`, `${title}Assertion`].map((name) => {
        return app.document.components?.schemas?.[name] as unknown as {
          example: object;
          properties: Record<string, { example: unknown }>;
        };
      });
      expect(create!.example).toMatchObject({ type });
      // This machine may lack the program that a type needs.
      if (unavailability(probe) !== null) continue;
      const members = Object.entries(assertion?.properties ?? {}).map(([name, { example }]) => [name, example]);
      const assertions = assertion && { assertions: [Object.fromEntries(members) as object] };
      const more = { key: `example-${type}`, paused: true, ...assertions };
      await createMonitor(api, { ...create!.example, ...more });
    }
  });
});

describe('every monitor type with a host', () => {
  const hosts = [
    '10.0.0.1',
    '169.254.169.254',
    '0x0a000001',
    '167772161',
    '012.0.0.1',
    '10.1',
    '::1',
    '[::1]',
    '::ffff:10.0.0.1',
  ];
  const spelled = ['１０.0.0.1', '10。0。0。1', '10.0.0.1.'];
  const broken = ['-f', 'a b', 'a;id', '$(id)', '`id`', "a'b", 'a|b', 'a\tb', 'http://a', 'a/b', 'a:53', ''];
  const definitions = PROBES.filter(({ example }) => 'host' in example).map(({ type, example }) => ({
    ...example,
    type,
    // An address is a valid name only for PTR queries.
    ...(type === 'dns' && { settings: { recordType: 'PTR' } }),
  }));

  it.each(definitions)('$type rejects private addresses in any notation, and invalid hosts', async (definition) => {
    for (const host of [...hosts, ...spelled, ...broken]) {
      const faults = await refusal({ ...definition, host });
      expect({ host, faults }).toEqual({ host, faults: expect.arrayContaining([expect.stringMatching(/^\/host /)]) });
    }
  });
});

describe('every monitor type with a password', () => {
  const definitions = PROBES.flatMap((probe) => {
    const { type, example } = probe;
    const paths = probe.secretPaths(example).map((path) => path.join('.'));
    return paths.includes('settings.password') ? [{ ...example, type }] : [];
  });

  it.each(definitions)('$type masks it, keeps it, and asks for it again when the host changes', async (definition) => {
    const { settings } = definition as unknown as { settings?: object };
    const secrets = { username: 'mon', password: 'geheim' };
    const { key: _, ...fields } = definition;
    const made = await createMonitor(api, { ...fields, settings: { ...settings, ...secrets }, paused: true });
    expect(made.settings).toMatchObject({ username: 'mon', password: '********' });
    const path = `/v1/monitors/${made.id}`;
    const stored = async (): Promise<unknown> => {
      const [row] = await app.query<{ definition: { settings: { password: unknown } } }>(
        'SELECT definition FROM monitors WHERE id = $1',
        [made.id],
      );
      return row!.definition.settings.password;
    };
    const sealed = await stored();
    expect(JSON.stringify(sealed)).not.toContain('geheim');
    expect((await api.patch(path, { settings: { username: 'other' } })).status).toBe(200);
    const { body } = await api.get<Record<string, unknown>>(`${path}/definition`);
    expect((await api.put(path, body)).status).toBe(200);
    expect(await stored()).not.toBeNull();
    const moved = await api.patch(path, { host: 'elsewhere.example.com' });
    expect(moved).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/settings/password', code: 'secret_required' }] },
    });
    expect((await api.patch(path, { host: 'elsewhere.example.com', settings: secrets })).status).toBe(200);
    // With Redis, a username requires a password.
    const none = definition.type === 'redis' ? { username: null, password: null } : { password: null };
    const cleared = await api.patch(path, { settings: none });
    expect(cleared).toMatchObject({ status: 200, body: { settings: none } });
  });
});

describe.each(['smtp', 'mongodb', 'mqtt'])('a monitor of type %s', (type) => {
  const whole = { ...each, type, host: 'service.example.com', paused: true };

  it('refuses a password without a username, and loses it with its username', async () => {
    const refused = { status: 422, body: { errors: [{ pointer: '/settings/password', code: 'invalid_value' }] } };
    const password = 'geheim';
    expect(await api.post('/v1/monitors', { ...whole, settings: { password } })).toMatchObject(refused);
    const { id } = await createMonitor(api, { ...whole, settings: { username: 'mon', password } });
    const path = `/v1/monitors/${id}`;
    expect(await api.patch(path, { settings: { username: null, password } })).toMatchObject(refused);
    expect(await api.patch(path, { settings: { username: null } })).toMatchObject({
      status: 200,
      body: { settings: { username: null, password: null } },
    });
  });
});

describe('a monitor of type sequence', () => {
  const steps = [
    { name: 'One', url: 'https://one.example.com/', auth: { type: 'bearer', token: 's3cr3t' } },
    { name: 'Two', url: 'https://two.example.com/', headers: { 'X-Api-Key': 'k3y' } },
  ];
  const definition = { ...each, type: 'sequence', settings: { steps }, paused: true };

  it('returns its steps completely, with secrets masked', async () => {
    const made = await createMonitor(api, definition);
    const complete = { method: 'GET', followRedirects: true, maxRedirects: 10, extract: [], body: null };
    expect(made.settings).toMatchObject({
      steps: [
        { ...complete, name: 'One', auth: { type: 'bearer', token: '********' } },
        { ...complete, name: 'Two', auth: null, headers: { 'X-Api-Key': '********' } },
      ],
    });
    const { body } = await api.get<Record<string, unknown>>(`/v1/monitors/${made.id}/definition`);
    expect(await api.put(`/v1/monitors/${made.id}`, body)).toMatchObject({ status: 200, body: { revision: 1 } });
  });

  it('keeps the secrets of steps that are moved, renamed or joined by others, but sends none to another target', async () => {
    const made = await createMonitor(api, definition);
    const path = `/v1/monitors/${made.id}`;
    const change = (...changed: object[]) => api.patch(path, { settings: { steps: changed } });
    const [one, two] = (made.settings as { steps: [object, object] }).steps;
    const more = { name: 'More', url: 'https://more.example.com/' };
    expect(await change(two, more, one)).toMatchObject({ status: 200, body: { revision: 2 } });
    expect(await change(two, { ...more, name: 'Other' }, { ...one, name: 'Uno' })).toMatchObject({ status: 200 });
    const pointer = '/settings/steps/0/headers/X-Api-Key';
    const elsewhere = await change({ ...two, url: 'https://elsewhere.example.com/' }, { ...one, name: 'Uno' });
    expect(elsewhere).toMatchObject({ status: 422, body: { errors: [{ pointer, code: 'secret_required' }] } });
    const swapped = await change({ ...one, name: 'Two' }, { ...two, name: 'Uno' });
    expect(swapped).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'secret_required' }, { code: 'secret_required' }] },
    });
  });

  it('checks private addresses in every step', async () => {
    const faulty = { settings: { steps: [steps[0], { name: 'Two', url: 'http://10.0.0.1/' }] } };
    expect(await refusal({ type: 'sequence', ...faulty })).toEqual(['/settings/steps/1/url address_blocked']);
  });
});

describe('a monitor of type domain', () => {
  it('is checked once a day by default', async () => {
    const made = await createMonitor(api, { name: 'A domain', type: 'domain', host: 'example.com', paused: true });
    expect(made).toMatchObject({ intervalSeconds: 86_400, timeoutMs: 10_000 });
  });
});
