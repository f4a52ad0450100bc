import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopOrphan } from '../src/database/embedded/running-server.js';
import { Browser } from './support/browser.js';
import { eventually } from './support/eventually.js';
import { PASSWORD } from './support/people.js';
import { ServiceProcess } from './support/service.js';

const LINE = /^Set up the application: (\S+)(\/setup\?token=[\w-]{43})$/;

let dataDir: string;
let service: ServiceProcess;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'daywatch-console-'));
});
afterAll(async () => {
  await service.end('SIGKILL');
  await stopOrphan(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

async function restart(): Promise<string | null> {
  if (service) await service.end('SIGTERM');
  service = await ServiceProcess.start(dataDir, { LOG_LEVEL: 'debug' });
  const [, origin, path = null] = service.lines.map((line) => LINE.exec(line)).find(Boolean) ?? [];
  if (path !== null) expect(origin).toBe(service.origin);
  return path;
}

describe('a service started for the first time', () => {
  it('prints a setup link until the setup is done, and logs no secrets', async () => {
    const first = await restart();
    const second = await restart();
    expect(first).not.toBeNull();
    expect(second).not.toBe(first);
    const browser = new Browser(service.origin);
    const person = { name: 'Jo', email: 'jo@example.com', password: PASSWORD, teamName: 'Acme' };
    await browser.open(first!);
    expect((await browser.submit('/setup', person)).status).toBe(422);
    await browser.open(second!);
    expect((await browser.submit('/setup', person)).path).toBe('/');

    await browser.open('/settings/api-keys');
    const { html } = await browser.submit('/settings/api-keys', { name: 'CI', scopes: 'admin' });
    const [secret] = /dw_\w{51}_\w{6}/.exec(html)!;
    await browser.open('/settings/team');
    const made = await browser.submit('/settings/team/invitations');
    const [, invitation] = /\/invitations\/([\w-]{43})/.exec(made.html)!;
    await browser.open(`/invitations/${invitation}`);

    await eventually(() => expect(service.log).toContain('GET /invitations/…'));
    const log = service.log + service.lines.filter((line) => !LINE.test(line)).join('\n');
    const secrets = [secret, invitation!, PASSWORD, browser.cookies.get('dw_session')!, second!.split('=')[1]!];
    for (const one of secrets) expect(log).not.toContain(one);

    expect(await restart()).toBeNull();
    const cookies = browser.cookies;
    const later = Object.assign(new Browser(service.origin), { cookies });
    // A clean restart does not end sessions.
    expect((await later.open('/settings/team')).html).toContain('value="Acme"');
  }, 120_000);

  it('prints how many monitors nobody hears of, if there are any, before the line that it is ready', async () => {
    await restart();
    expect(service.lines.join('\n')).not.toContain('Nobody is notified');
    for (const name of ['Checkout', 'Search']) {
      const monitor = { name, type: 'http', url: 'https://example.com/', paused: true, tags: [name] };
      expect(await service.call('POST', '/v1/monitors', monitor)).toMatchObject({ status: 201 });
    }
    await restart();
    const words = (count: number) => `Nobody is notified of outages of ${count} of 2 monitors: `;
    expect(service.lines.at(-2)).toBe(`${words(2)}${service.origin}/monitors?notified=false`);
    expect(service.lines.at(-1)).toMatch(/^Daywatch is ready: /);
    const channel = { name: 'Ops', type: 'webhook', settings: { url: 'https://example.com/' } };
    const { body } = await service.call<{ id: string }>('POST', '/v1/notification-channels', channel);
    const steps = [{ afterSeconds: 0, channelIds: [body.id] }];
    await service.call('POST', '/v1/notification-policies', { name: 'Shop', match: { tags: ['Search'] }, steps });
    await restart();
    expect(service.lines.at(-2)).toBe(`${words(1)}${service.origin}/monitors?notified=false`);
  }, 120_000);
});
