import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, monitorOf, resolveOf, sendBy } from '../../test/support/channel-messages.js';
import { eventually } from '../../test/support/eventually.js';
import { alertmanagerChannel } from './alertmanager.channel.js';
import { type Message } from './message.js';

/** The name of the program on this machine, or null: Debian's differs from that of the project. */
const PROGRAM =
  ['prometheus-alertmanager', 'alertmanager'].find((one) => spawnSync(one, ['--version']).status === 0) ?? null;

interface Shown {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  startsAt: string;
  endsAt: string;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const suite = PROGRAM === null ? describe.skip : describe;
suite(`a real Alertmanager${PROGRAM === null ? ' (not run: there is no program alertmanager)' : ''}`, () => {
  let folder: string;
  let origin: string;
  let running: ChildProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'alertmanager-'));
    writeFileSync(join(folder, 'config.yml'), 'route: { receiver: nobody }\nreceivers: [{ name: nobody }]\n');
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const options = [
      `--config.file=${folder}/config.yml`,
      `--storage.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ];
    running = spawn(PROGRAM!, options, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    running.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const isGone = once(running, 'exit').then(() => Promise.reject(new Error(`Alertmanager ended: ${said}`)));
    const isReady = eventually(async () => expect((await fetch(`${origin}/-/ready`)).status).toBe(200));
    await Promise.race([isReady, isGone]);
    isGone.catch(() => undefined);
  });

  afterAll(async () => {
    const isGone = running.exitCode === null ? once(running, 'exit') : null;
    running.kill();
    await isGone;
    rmSync(folder, { recursive: true });
  });

  const alerts = async (): Promise<Shown[]> => (await (await fetch(`${origin}/api/v2/alerts`)).json()) as Shown[];
  const send = (message: Message) => sendBy(alertmanagerChannel, { urls: [origin] }, message);

  it('has one alert from its trigger to its end', async () => {
    const now = Date.now();
    const startedAt = new Date(now - 60_000).toISOString();
    const monitors = [monitorOf({ name: 'Kasse „Süd“ <1>', tags: ['region:eu', 'pay ments', '9:x'] })];
    expect(await send(messageOf({ startedAt, monitors }))).toEqual({
      status: 'sent',
      providerId: null,
      statusCode: 200,
    });
    expect(await send(messageOf({ startedAt, monitors, kind: 'repeat' }))).toMatchObject({ status: 'sent' });
    const [open, ...others] = await eventually(async () => {
      const found = await alerts();
      expect(found).toHaveLength(1);
      return found;
    });
    expect(others).toEqual([]);
    expect(open!.labels).toMatchObject({ alertname: 'MonitorDown', region: 'eu', monitor: 'Kasse „Süd“ <1>' });
    expect(Date.parse(open!.startsAt)).toBe(Date.parse(startedAt));
    expect(Date.parse(open!.endsAt)).toBeGreaterThan(now + 200_000);

    const resolvedAt = new Date(now).toISOString();
    expect(await send(resolveOf({ startedAt, resolvedAt, monitors }))).toMatchObject({ status: 'sent' });
    await eventually(async () => expect(await alerts()).toEqual([]));
  });

  it('refuses what is not an alert, for good', async () => {
    const delivery = await sendBy(alertmanagerChannel, { urls: [`${origin}/unknown`] });
    expect(delivery).toMatchObject({ status: 'failed', permanent: true, statusCode: 404 });
  });
});
