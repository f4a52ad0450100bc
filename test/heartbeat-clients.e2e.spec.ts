/** Requests as other programs send them, by their documentation: only the host of the address is different. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type PingKeyWithSecretDto } from '../src/modules/heartbeats/ping-keys/dto/ping-key.dto.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { createMonitor, listChecks, untilStatus } from './support/monitors.js';

const DAILY = { schedule: { everySeconds: 86_400 } };

let app: TestApp;
let api: Client;
let pingKey: string;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  const { body } = await api.post<PingKeyWithSecretDto>('/v1/ping-keys', { name: 'Clients' });
  pingKey = body.secret!;
});
afterAll(() => app.close());

const job = (more: Record<string, unknown> = {}): Promise<MonitorDto> =>
  createMonitor(api, { name: 'A job', type: 'heartbeat', settings: DAILY, ...more });

async function answerTo(url: string, init: RequestInit = {}): Promise<[number, string]> {
  const response = await fetch(url, init);
  return [response.status, await response.text()];
}

const OK = [200, 'OK'];

/** Writes a request as bytes, and returns all bytes of the response. */
function exchange(request: string): Promise<string> {
  const { hostname, port } = new URL(app.origin);
  const socket = connect(Number(port), hostname);
  socket.write(request);
  return text(socket);
}

describe('Healthchecks', () => {
  it('takes requests of HTTP/1.0', async () => {
    const { id, pingUrl } = await job();
    const { pathname } = new URL(pingUrl!);
    const answer = await exchange(`GET ${pathname} HTTP/1.0\r\nHost: hc-ping.com\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nOK$/);
    expect(answer).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
    await untilStatus(api, id, 'up');
  });

  it('takes HEAD, GET and POST at each address', async () => {
    const { id, pingUrl } = await job();
    for (const method of ['HEAD', 'GET', 'POST']) {
      for (const suffix of ['/start', '', '/log']) {
        expect(await answerTo(pingUrl! + suffix, { method })).toEqual(method === 'HEAD' ? [200, ''] : OK);
      }
    }
    await untilStatus(api, id, 'up');
    expect(await answerTo(`${pingUrl!}/fail`)).toEqual(OK);
    await untilStatus(api, id, 'down');
  });

  it('takes the exit status from a shell, with the output as a form', async () => {
    const { id, pingUrl } = await job();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    // m=$(backup 2>&1); curl -fsS -m 10 --retry 5 --data-raw "$m" https://hc-ping.com/<uuid>/$?
    expect(await answerTo(`${pingUrl!}/2`, { method: 'POST', headers, body: 'a=b&c\nno space left' })).toEqual(OK);
    await untilStatus(api, id, 'down');
    const [check] = await listChecks(api, id);
    expect(check!.run).toMatchObject({ exitStatus: 2, log: 'a=b&c\nno space left' });
  });

  it('finds a monitor by ping key and slug, and creates it on request', async () => {
    const slug = `db-backup-${randomUUID()}`;
    const url = `${app.origin}/ping/${pingKey}/${slug}`;
    expect(await answerTo(url)).toEqual([404, 'not found']);
    expect(await answerTo(`${url}?create=1`)).toEqual([201, 'Created']);
    expect(await answerTo(`${url}?create=1`)).toEqual(OK);
    expect(await answerTo(`${url}/start?rid=${randomUUID()}`)).toEqual(OK);
    await untilStatus(api, `key:${slug}`, 'up');
  });
});

describe('runitor', () => {
  it('reports the start, and the end of its run with status and output', async () => {
    const { id, pingUrl } = await job();
    const rid = randomUUID();
    const headers = { 'User-Agent': 'runitor/1.3.0 (+https://bdd.fi/x/runitor)', 'Content-Type': 'text/plain' };
    const start = await fetch(`${pingUrl!}/start?rid=${rid}`, { method: 'POST', headers });
    expect([start.status, await start.text()]).toEqual(OK);
    // It sends as much of the end of the output as this says.
    const limit = Number(start.headers.get('ping-body-limit'));
    const output = `${'x'.repeat(limit - 5)}done\n`;
    expect(await answerTo(`${pingUrl!}/0?rid=${rid}`, { method: 'POST', headers, body: output })).toEqual(OK);
    await untilStatus(api, id, 'up');
    const [check] = await listChecks(api, id);
    expect(check!.run).toEqual({ runId: rid, exitStatus: 0, durationMs: expect.any(Number), log: output });
    expect(await answerTo(`${pingUrl!}/1?rid=${randomUUID()}`, { method: 'POST', headers, body: 'failed' })).toEqual(
      OK,
    );
    await untilStatus(api, id, 'down');
  });
});

describe('Uptime Kuma', () => {
  it('keeps the address of an imported monitor', async () => {
    const token = 'aB3'.repeat(10) + 'xy';
    const { id } = await job({ token });
    const push = `${app.origin}/api/push/${token}`;
    // As it is copied from the page of a push monitor.
    expect(await answerTo(`${push}?status=up&msg=OK&ping=`)).toEqual([200, '{"ok":true}']);
    await untilStatus(api, id, 'up');
    expect((await listChecks(api, id))[0]).toMatchObject({ responseTimeMs: null, run: { log: 'OK' } });
    expect(await answerTo(`${push}?status=down&msg=${encodeURIComponent('disk full')}`)).toEqual([200, '{"ok":true}']);
    await untilStatus(api, id, 'down');
    expect(await answerTo(push, { method: 'POST' })).toEqual([200, '{"ok":true}']);
    await untilStatus(api, id, 'up');
    expect(await answerTo(`${app.origin}/api/push/${'z'.repeat(32)}`)).toEqual([404, '{"ok":false,"msg":"not found"}']);
  });
});
