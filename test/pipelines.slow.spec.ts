import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { parse } from 'yaml';
import { DAY_MS } from '../src/domain/durations.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type StatusPageDto } from '../src/modules/status-pages/dto/status-page.dto.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { openScene, type PipelineScene } from './support/pipeline-scene.js';
import { DEFAULT_LIMITS, describeScripts, PIPELINES, SCRIPTS } from './support/pipelines.js';
import { answers } from './support/target.js';

const PARAMETERS: Record<string, string[]> = {
  'apply-channel.sh': ['a-key', 'channel.json'],
  'apply-monitor.sh': ['a-key', 'monitor.json'],
  'apply-monitors.sh': ['monitors.json'],
  'apply-policy.sh': ['a-key', 'policy.json'],
  'maintain-during.sh': ['a-key', 'touch', 'has-run'],
  'pause-during.sh': ['a-key', 'touch', 'has-run'],
  'preview-monitor.sh': ['pr-1', 'http://127.0.0.1:9/'],
  'publish-status-page.sh': ['a-key', 'page.json'],
  'require-uptime.sh': ['a-key'],
  'rotate-key.sh': ['rotated'],
  'wait-until-green.sh': ['a-key', '1', '5', '0'],
};

describe('the scripts for pipelines', () => {
  it('are complete and listed in the README', () => {
    expect(SCRIPTS.toSorted()).toEqual(Object.keys(PARAMETERS).sort());
    const readme = readFileSync(`${PIPELINES}README.md`, 'utf8');
    for (const name of SCRIPTS) expect(readme).toContain(`(${name})`);
  });

  const readExamples = (): string[] =>
    [...readFileSync(`${PIPELINES}README.md`, 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text!);

  it('are called by name in the examples, which are valid YAML', () => {
    const examples = readExamples();
    for (const text of examples) expect(parse(text)).toEqual(expect.any(Object));
    const called = new Set([...examples.join().matchAll(/monitoring\/([\w-]+\.sh)/g)].map(([, name]) => name));
    expect([...called].sort()).toEqual(SCRIPTS.toSorted());
  });

  it('do not deploy in the scheduled pipelines of GitLab, which rotate the key', () => {
    const jobs = readExamples().map((text) => parse(text) as Record<string, { rules?: unknown }>);
    expect(jobs.find(({ rotate }) => rotate)?.deploy?.rules).toEqual([
      { if: expect.stringContaining('&& $CI_PIPELINE_SOURCE != "schedule"') },
    ]);
  });

  it.each(SCRIPTS)('%s has at most 15 lines, stops at the first error, and is executable', (name) => {
    const lines = readFileSync(PIPELINES + name, 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeLessThanOrEqual(15);
    expect(lines[0]).toBe('#!/usr/bin/env bash');
    expect(lines[1]).toMatch(/^# /);
    expect(lines).toContain('set -euo pipefail');
    expect(statSync(PIPELINES + name).mode & 0o111).toBe(0o111);
  });
});

const shellcheck = spawnSync('shellcheck', ['--version']).error ? it.skip : it;

describeScripts('a script for pipelines', () => {
  let scene: PipelineScene;
  let app: PipelineScene['app'];
  let target: PipelineScene['target'];
  let front: PipelineScene['front'];
  let stage: PipelineScene['stage'];
  let access: PipelineScene['access'];
  let api: PipelineScene['api'];
  let watcher: PipelineScene['watcher'];
  beforeAll(async () => {
    scene = await openScene(DEFAULT_LIMITS);
    ({ app, target, front, stage, access, api, watcher } = scene);
    await stage.file('monitor.json', httpMonitor(target.url('/')));
    await stage.file('monitors.json', [httpMonitor(target.url('/'), { key: 'in-a-file' })]);
    await stage.file('channel.json', { name: 'Hook', type: 'webhook', settings: { url: target.url('/') } });
    await stage.file('policy.json', { name: 'All', match: { all: true }, steps: [] });
    await stage.file('page.json', { name: 'Page', slug: 'a-page' });
  });
  afterAll(() => scene.close());

  const run = (script: string, ...args: string[]) => stage.run(script, args, access);
  const shown = async (key: string) => (await api.get<MonitorDto>(`/v1/monitors/key:${key}`)).body;
  const paused = (more: object = {}) => ({ ...httpMonitor(target.url('/')), paused: true, ...more });

  it.each(SCRIPTS)('%s is well-formed', (name) => {
    expect(spawnSync('bash', ['-n', PIPELINES + name]).status).toBe(0);
  });

  shellcheck('passes shellcheck', () => {
    const { status, stdout } = spawnSync('shellcheck', SCRIPTS, { cwd: PIPELINES });
    expect({ status, said: stdout.toString() }).toEqual({ status: 0, said: '' });
  });

  it.each(SCRIPTS)('%s prints its usage and missing variables', async (name) => {
    expect(await run(name)).toMatchObject({ code: 1, stderr: expect.stringContaining(`usage: ${name} `) });
    for (const missing of ['DAYWATCH_URL', 'DAYWATCH_API_KEY']) {
      const outcome = await stage.run(name, PARAMETERS[name]!, { ...access, [missing]: '' });
      expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(missing) });
    }
  });

  it.each(SCRIPTS.filter((name) => /^(apply|publish)-/.test(name)))(
    '%s fails with exit code 2 if its file does not exist, without a request',
    async (name) => {
      const args = PARAMETERS[name]!.map((one) => (one.endsWith('.json') ? 'missing.json' : one));
      // Nothing listens at this address.
      const { code, stderr } = await stage.run(name, args, { ...access, DAYWATCH_URL: 'http://127.0.0.1:9' });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('missing.json') });
    },
  );

  it('fails with a revoked or expired key and reports it', async () => {
    const make = async (more: object) => {
      const answer = await api.post<{ id: string; secret: string }>('/v1/api-keys', {
        name: 'CI',
        scopes: ['write'],
        ...more,
      });
      expect(answer.status).toBe(201);
      return answer.body;
    };
    const [revoked, expired] = [await make({}), await make({ expiresAt: new Date(Date.now() + 2_000).toISOString() })];
    await api.delete(`/v1/api-keys/${revoked.id}`);
    await eventually(async () => expect((await app.api(expired.secret).get('/v1/api-keys/self')).status).toBe(401));
    for (const { secret } of [revoked, expired]) {
      for (const [name, args] of Object.entries(PARAMETERS)) {
        const { code, stderr } = await stage.run(name, args, { ...access, DAYWATCH_API_KEY: secret });
        expect({ name, code }).toEqual({ name, code: name === 'apply-monitors.sh' ? 1 : 22 });
        expect(stderr).toContain('The API key is malformed, unknown, expired or revoked.');
      }
    }
    expect([existsSync(stage.path('has-run')), existsSync(stage.path('rotated'))]).toEqual([false, false]);
  }, 60_000);

  describe('apply-monitor.sh', () => {
    it('creates, then replaces', async () => {
      const file = await stage.file('home.json', paused({ name: 'Home', tags: ['a'] }));
      expect(await run('apply-monitor.sh', 'home', file)).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(/^Home is paused, revision 1: http:\S+\n$/),
      });
      await stage.file('home.json', paused({ name: 'Home' }));
      expect((await run('apply-monitor.sh', 'home', file)).code).toBe(0);
      expect(await shown('home')).toMatchObject({ name: 'Home', tags: [], revision: 2 });
    });

    it('reports the errors of a definition without its secrets', async () => {
      const auth = { type: 'bearer', token: 'open-sesame' };
      const file = await stage.file('wrong.json', paused({ auth, intervalSeconds: 0 }));
      const { code, stderr, shown: seen } = await run('apply-monitor.sh', 'wrong', file);
      expect({ code, stderr }).toEqual({ code: 22, stderr: expect.stringContaining('"pointer":"/intervalSeconds"') });
      expect(stderr + seen).not.toContain('open-sesame');
    });

    it.each(['refused', 'late'] as const)('succeeds if one request is %s by a proxy', async (mishap) => {
      front.next('PUT', `key:after-${mishap}`, mishap);
      const { code, stdout } = await run('apply-monitor.sh', `after-${mishap}`, stage.path('monitor.json'));
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^A monitor is \w+, revision \d: \S+\n$/),
      });
    });

    it('accepts an address with a trailing slash', async () => {
      const slash = { ...access, DAYWATCH_URL: `${front.origin}/` };
      expect((await stage.run('apply-monitor.sh', ['slash', stage.path('monitor.json')], slash)).code).toBe(0);
    });
  });

  describe('require-uptime.sh', () => {
    it('passes at or above the percentage', async () => {
      const { id } = await createMonitor(api, httpMonitor(target.url('/'), { key: 'healthy' }));
      await untilStatus(watcher, id, 'up');
      const { code, stdout } = await run('require-uptime.sh', 'healthy');
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Uptime 100%, required 99\.9%; /) });
      expect((await run('require-uptime.sh', 'healthy', '100', '1')).code).toBe(0);
    });

    it('fails below the percentage with exit code 1', async () => {
      target.behave('/fails', answers(500));
      const { id } = await createMonitor(api, httpMonitor(target.url('/fails'), { key: 'fails', failureThreshold: 1 }));
      await untilStatus(watcher, id, 'down');
      await eventually(async () => {
        const { code, stderr } = await run('require-uptime.sh', 'fails');
        expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^Uptime 0%, required 99\.9%; /) });
      });
    });

    it('fails with exit code 3 if nothing was monitored', async () => {
      await createMonitor(api, paused({ key: 'unseen' }));
      const { code, stderr } = await run('require-uptime.sh', 'unseen');
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/^Uptime null%/) });
    });

    it('reports an unknown monitor', async () => {
      expect(await run('require-uptime.sh', 'nobody')).toMatchObject({
        code: 22,
        stderr: expect.stringContaining('404'),
      });
    });
  });

  describe('publish-status-page.sh', () => {
    it('publishes a page, also repeatedly', async () => {
      await createMonitor(api, paused({ key: 'shown' }));
      const page = { name: 'Ours', slug: 'ours', monitorIds: ['key:shown'] };
      const file = await stage.file('ours.json', page);
      const { code, stdout } = await run('publish-status-page.sh', 'ours', file);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^Published, 1 monitors: \S+\/status\/ours\n$/),
      });
      await stage.file('ours.json', { ...page, name: 'Ours, renamed' });
      expect((await run('publish-status-page.sh', 'ours', file)).code).toBe(0);
      expect((await api.get<StatusPageDto>('/v1/status-pages/key:ours')).body).toMatchObject({
        name: 'Ours, renamed',
        revision: 2,
      });
      expect((await app.undocumented().get('/status/ours.json')).status).toBe(200);
    });

    it('reports that another page has the slug', async () => {
      await api.put('/v1/status-pages/key:first', { name: 'First', slug: 'taken' });
      const { code, stderr } = await run(
        'publish-status-page.sh',
        'second',
        await stage.file('taken.json', { name: 'Second', slug: 'taken' }),
      );
      expect({ code, stderr }).toEqual({ code: 22, stderr: expect.stringContaining('"code":"slug_taken"') });
    });
  });

  describe('preview-monitor.sh', () => {
    it('creates a monitor that expires, and extends it by three days on each push', async () => {
      const url = target.url('/');
      expect((await run('preview-monitor.sh', 'pr-7', url)).code).toBe(0);
      const { id, expiresAt: first, url: watched } = await shown('preview-pr-7');
      expect(watched).toBe(url);
      expect(Date.parse(first as string) - Date.now()).toBeGreaterThan(3 * DAY_MS - 60_000);
      expect((await run('preview-monitor.sh', 'pr-7', target.url('/other'))).code).toBe(0);
      const again = await shown('preview-pr-7');
      expect(again).toMatchObject({ id, url: target.url('/other') });
      expect(Date.parse(again.expiresAt as string)).toBeGreaterThan(Date.parse(first as string));
    });

    it('deletes the monitor, even if it is already gone or the response was lost', async () => {
      await run('preview-monitor.sh', 'pr-8', target.url('/'));
      front.next('DELETE', 'key:preview-pr-8', 'late');
      const outcome = { code: 0, stdout: 'preview-pr-8 is deleted\n' };
      expect(await run('preview-monitor.sh', 'pr-8')).toMatchObject(outcome);
      expect((await api.get('/v1/monitors/key:preview-pr-8')).status).toBe(404);
      expect(await run('preview-monitor.sh', 'pr-8')).toMatchObject(outcome);
    });

    it('deletes nothing if the address is empty', async () => {
      await run('preview-monitor.sh', 'pr-9', target.url('/'));
      expect(await run('preview-monitor.sh', 'pr-9', '')).toMatchObject({
        code: 22,
        stderr: expect.stringContaining('"/url"'),
      });
      expect((await api.get('/v1/monitors/key:preview-pr-9')).status).toBe(200);
    });
  });
});
