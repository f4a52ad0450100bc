import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type Page } from '../src/http/lists/page.js';
import { type MaintenanceWindowDto } from '../src/modules/maintenance/dto/maintenance-window.dto.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { openScene, type PipelineScene } from './support/pipeline-scene.js';
import { DEFAULT_LIMITS, describeScripts, PipelineStage } from './support/pipelines.js';

describeScripts('maintain-during.sh', () => {
  let scene: PipelineScene;
  let front: PipelineScene['front'];
  let stage: PipelineScene['stage'];
  let access: PipelineScene['access'];
  let api: PipelineScene['api'];
  let serial = 0;
  beforeAll(async () => {
    scene = await openScene(DEFAULT_LIMITS);
    ({ front, stage, access, api } = scene);
  });
  afterAll(() => scene.close());

  async function monitor(): Promise<string> {
    const key = `monitor-${serial++}`;
    await createMonitor(api, httpMonitor(scene.target.url('/'), { key, intervalSeconds: 3_600 }));
    return key;
  }
  const shown = async (key: string) => (await api.get<MonitorDto>(`/v1/monitors/key:${key}`)).body.status;
  const windowsOf = async (key: string) =>
    (await api.get<Page<MaintenanceWindowDto>>(`/v1/maintenance-windows?monitorId=key:${key}`)).body.data;

  /** Starts a deployment, which ends with this exit code when `finish` is called. */
  async function deploy(keys: string, code = 0, on = stage) {
    const gate = on.path(`gate-${serial++}`);
    const wait = 'touch "$0-begun"; until [ -e "$0" ]; do sleep 0.02; done; exit "$1"';
    const run = on.start('maintain-during.sh', [keys, 'bash', '-c', wait, gate, String(code)], access);
    await eventually(() => expect(existsSync(`${gate}-begun`)).toBe(true));
    return { ...run, finish: () => writeFile(gate, '') };
  }

  it.each([
    ['succeeds', 0],
    ['fails', 7],
  ])(
    'puts monitors in maintenance while the command runs, and ends it when the command %s: exit code %i',
    async (_, code) => {
      const [a, b] = [await monitor(), await monitor()];
      const { outcome, finish } = await deploy(`${a},${b}`, code);
      expect([await shown(a), await shown(b)]).toEqual(['maintenance', 'maintenance']);
      await finish();
      expect(await outcome).toMatchObject({ code, stdout: '', stderr: '' });
      await eventually(async () => expect([await shown(a), await shown(b)]).toEqual(['up', 'up']));
      const quiet = { active: false, notifySubscribers: false };
      expect(await windowsOf(a)).toMatchObject([{ key: expect.stringMatching(/^deployment-/), ...quiet }]);
    },
  );

  it('ends maintenance with the last of overlapping deployments', async () => {
    const key = await monitor();
    // In a separate folder: each folder is checked for files that a script leaves behind.
    const elsewhere = await PipelineStage.open();
    const [first, second] = [await deploy(key), await deploy(key, 0, elsewhere)];
    await first.finish();
    expect((await first.outcome).code).toBe(0);
    expect(await shown(key)).toBe('maintenance');
    await second.finish();
    expect((await second.outcome).code).toBe(0);
    expect(await shown(key)).not.toBe('maintenance');
    await elsewhere.close();
  });

  it('ends maintenance when it is terminated', async () => {
    const key = await monitor();
    const { child, outcome, finish } = await deploy(key);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
    expect(await windowsOf(key)).toMatchObject([{ active: false }]);
    await finish();
    await outcome;
  });

  it.each(['/start', '/end'])('repeats %s if the response is lost', async (action) => {
    const key = await monitor();
    front.next('POST', action, 'late');
    expect((await stage.run('maintain-during.sh', [key, 'true'], access)).code).toBe(0);
    expect(await windowsOf(key)).toMatchObject([{ active: false, revision: 3 }]);
  });

  it('ends maintenance if the response to its start was cut, and does not run the command', async () => {
    const key = await monitor();
    front.next('POST', '/start', 'cut');
    const { code } = await stage.run('maintain-during.sh', [key, 'touch', stage.path('deployed')], access);
    expect([52, 56]).toContain(code);
    expect(existsSync(stage.path('deployed'))).toBe(false);
    expect(await windowsOf(key)).toMatchObject([{ active: false }]);
  });

  it('does not run the command if a monitor is unknown', async () => {
    const { code, stderr } = await stage.run('maintain-during.sh', ['nobody', 'touch', stage.path('never')], access);
    expect({ code, stderr }).toEqual({ code: 22, stderr: expect.stringContaining('/monitorIds/0') });
    expect(existsSync(stage.path('never'))).toBe(false);
  });
});
