import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor, listChecks } from './support/monitors.js';
import { PATIENCE } from './support/patience.js';
import { openScene, type PipelineScene } from './support/pipeline-scene.js';
import { DEFAULT_LIMITS, describeScripts } from './support/pipelines.js';
import { answers } from './support/target.js';

describeScripts('a script around a deployment', () => {
  let scene: PipelineScene;
  let target: PipelineScene['target'];
  let front: PipelineScene['front'];
  let stage: PipelineScene['stage'];
  let access: PipelineScene['access'];
  let api: PipelineScene['api'];
  let watcher: PipelineScene['watcher'];
  let serial = 0;
  beforeAll(async () => {
    scene = await openScene(DEFAULT_LIMITS);
    ({ target, front, stage, access, api, watcher } = scene);
  });
  afterAll(() => scene.close());

  /** Creates a monitor that is checked once per hour, so that only the test requests checks. */
  async function monitor(more: Record<string, unknown> = {}, path = '/'): Promise<string> {
    const key = `monitor-${serial++}`;
    await createMonitor(api, httpMonitor(target.url(path), { key, intervalSeconds: 3_600, ...more }));
    return key;
  }
  const shown = async (key: string, by = api) => (await by.get<MonitorDto>(`/v1/monitors/key:${key}`)).body;
  const act = (key: string, action: string, body?: object) => api.post(`/v1/monitors/key:${key}/${action}`, body);

  describe('pause-during.sh', () => {
    /** Starts a deployment, which ends with this exit code when `finish` is called. */
    async function deploy(key: string, code = 0) {
      const gate = stage.path(`gate-${serial++}`);
      const wait = 'touch "$0-begun"; until [ -e "$0" ]; do sleep 0.02; done; exit "$1"';
      const run = stage.start('pause-during.sh', [key, 'bash', '-c', wait, gate, String(code)], access);
      await eventually(() => expect(existsSync(`${gate}-begun`)).toBe(true));
      return { ...run, finish: () => writeFile(gate, '') };
    }

    it.each([
      ['succeeds', 0],
      ['fails', 7],
    ])('pauses while the command runs, and resumes when it %s: exit code %i', async (_, code) => {
      const key = await monitor();
      const { outcome, finish } = await deploy(key, code);
      const during = await shown(key);
      expect(during).toMatchObject({ status: 'paused', pauseReason: expect.stringMatching(/^deployment-/) });
      expect(Date.parse(during.pausedUntil!) - Date.parse(during.pausedAt!)).toBe(3_600_000);
      await finish();
      expect(await outcome).toMatchObject({ code, stdout: '', stderr: '' });
      expect(await shown(key)).toMatchObject({ pausedAt: null, resumedAt: expect.any(String) });
    });

    it('resumes when it is terminated', async () => {
      const key = await monitor();
      const { child, outcome, finish } = await deploy(key);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
      expect((await shown(key)).pausedAt).toBeNull();
      await finish();
      await outcome;
    });

    it('neither replaces nor ends an earlier pause by somebody else', async () => {
      const key = await monitor();
      await eventually(async () => expect((await shown(key, watcher)).lastCheckAt).not.toBeNull());
      await act(key, 'pause', { reason: 'Moving house' });
      const before = await shown(key);
      const { outcome, finish } = await deploy(key, 3);
      await finish();
      expect((await outcome).code).toBe(3);
      expect(await shown(key)).toEqual(before);
    });

    it('does not end a pause by which somebody else replaced its own', async () => {
      const key = await monitor();
      const { outcome, finish } = await deploy(key);
      await act(key, 'pause', { reason: 'It is on fire' });
      await finish();
      expect((await outcome).code).toBe(0);
      expect(await shown(key)).toMatchObject({ status: 'paused', pauseReason: 'It is on fire' });
    });

    it('resumes even if the definition was changed meanwhile', async () => {
      const key = await monitor();
      const { outcome, finish } = await deploy(key);
      await api.patch(`/v1/monitors/key:${key}`, { name: 'Renamed' });
      await finish();
      expect((await outcome).code).toBe(0);
      expect(await shown(key)).toMatchObject({ name: 'Renamed', pausedAt: null });
    });

    it('neither replaces a concurrent pause by somebody else nor runs the command', async () => {
      const key = await monitor();
      front.next('GET', key, () => act(key, 'pause', { reason: 'First' }));
      const { code, stderr } = await stage.run('pause-during.sh', [key, 'touch', stage.path('too-early')], access);
      expect({ code, stderr }).toEqual({ code: 22, stderr: expect.stringContaining('precondition_failed') });
      expect(existsSync(stage.path('too-early'))).toBe(false);
      expect(await shown(key)).toMatchObject({ status: 'paused', pauseReason: 'First' });
    });

    it.each(['/pause', '/resume'])(
      'repeats %s with the same Idempotency-Key if the response is lost',
      async (action) => {
        const key = await monitor();
        front.next('POST', key + action, 'late');
        expect((await stage.run('pause-during.sh', [key, 'true'], access)).code).toBe(0);
        const sent = front.passed.filter(({ path }) => path.endsWith(key + action));
        expect(sent.map(({ status }) => status)).toEqual([200, 200]);
        expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
        expect((await shown(key)).pausedAt).toBeNull();
      },
    );

    it('ends its pause if the response to it was cut, and does not run the command', async () => {
      const key = await monitor();
      front.next('POST', `${key}/pause`, 'cut');
      const { code } = await stage.run('pause-during.sh', [key, 'touch', stage.path('deployed')], access);
      expect([52, 56]).toContain(code);
      expect(existsSync(stage.path('deployed'))).toBe(false);
      expect(await shown(key)).toMatchObject({ pausedAt: null, resumedAt: expect.any(String) });
    });

    it('fails if it cannot resume', async () => {
      const key = await monitor();
      const { id, secret } = (
        await api.post<{ id: string; secret: string }>('/v1/api-keys', { name: 'CI', scopes: ['write'] })
      ).body;
      access = { ...scene.access, DAYWATCH_API_KEY: secret };
      const { outcome, finish } = await deploy(key);
      access = scene.access;
      await api.delete(`/v1/api-keys/${id}`);
      await finish();
      const { code, stderr } = await outcome;
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('revoked') });
      expect((await shown(key)).status).toBe('paused');
    });
  });

  describe('wait-until-green.sh', () => {
    const wait = (key: string, checks: number, limit: number) =>
      stage.run('wait-until-green.sh', [key, String(checks), String(limit), '0.1'], access);

    it('waits for the given number of checks that started after it', async () => {
      const key = await monitor();
      const startedAt = Date.now();
      const { code, stdout } = await wait(key, 3, 20);
      const lines = stdout.trim().split('\n');
      expect({ code, statuses: lines.map((line) => line.split(' ')[0]) }).toEqual({
        code: 0,
        statuses: ['up', 'up', 'up'],
      });
      for (const line of lines) expect(Date.parse(line.split(' ')[1]!)).toBeGreaterThanOrEqual(startedAt);
      const { id } = await shown(key);
      expect(await listChecks(api, id, '&trigger=manual')).toHaveLength(3);
    });

    it('fails with the last error within its time limit, although the monitor was up before', async () => {
      const key = await monitor({}, '/stays-down');
      await eventually(async () => expect((await shown(key, watcher)).status).toBe('up'));
      target.behave('/stays-down', answers(503));
      const startedAt = performance.now();
      const { code, stderr } = await wait(key, 2, 5);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^Not green after 5 s\. Last error: down \S+Z Unexpected status 503/m),
      });
      expect(performance.now() - startedAt).toBeLessThan(10_000 * PATIENCE);
    });

    it('restarts its count after a failed check', async () => {
      const key = await monitor({ paused: true }, '/wavers');
      let requests = 0;
      target.behave('/wavers', (response, request) => answers(++requests === 2 ? 500 : 200)(response, request));
      const { code, stdout } = await wait(key, 2, 20);
      const statuses = stdout.match(/^\w+/gm);
      expect({ code, statuses }).toEqual({ code: 0, statuses: ['up', 'down', 'up', 'up'] });
    });

    it('fails within its time limit if the target hangs', async () => {
      const key = await monitor({ paused: true, timeoutMs: 60_000 }, '/hangs');
      target.behave('/hangs', () => undefined);
      const startedAt = performance.now();
      const { code, stderr } = await wait(key, 1, 2);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining('Last error: no check has finished'),
      });
      expect(performance.now() - startedAt).toBeLessThan(10_000 * PATIENCE);
    });

    it('repeats a rejected request', async () => {
      const key = await monitor();
      front.next('POST', `${key}/checks?wait=true`, 'refused');
      expect(await wait(key, 1, 20)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^up /) });
    });
  });
});
