import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type Client } from './support/client.js';
import { httpMonitor } from './support/monitors.js';
import { openScene, type PipelineScene } from './support/pipeline-scene.js';
import { describeScripts } from './support/pipelines.js';

type Definition = Record<string, unknown> & { key: string };

/** Texts that a shell, curl or JSON could misinterpret. */
const TEXTS = [
  'plain',
  'quo"te',
  "apos'trophe",
  'back\\slash',
  'line\nbreak',
  '$HOME `id` $(id)',
  '@file',
  'ü ✓ 😀',
  '#;[1-9]{a,b}',
];

const definitions = (count: number, prefix: string): Definition[] =>
  Array.from({ length: count }, (_, at) => ({
    ...httpMonitor('http://127.0.0.1:9/', { paused: true, tags: [prefix] }),
    key: `${prefix}-${at}`,
    name: `Number ${at}`,
    description: `${at} ${TEXTS[at % TEXTS.length]}`,
  }));
const lines = (all: Definition[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('');

async function applied(api: Client, tag: string): Promise<MonitorDto[]> {
  const all: MonitorDto[] = [];
  for (let query = `?tag=${tag}&limit=200`; ;) {
    const { body } = await api.get<Page<MonitorDto>>(`/v1/monitors${query}`);
    all.push(...body.data);
    if (body.nextCursor === null) return all;
    query = `?cursor=${body.nextCursor}`;
  }
}

describeScripts('apply-monitors.sh', () => {
  let scene: PipelineScene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());

  const run = async (content: unknown, access = scene.access) =>
    scene.stage.run('apply-monitors.sh', [await scene.stage.file('monitors', content)], access);

  it('applies 500 monitors, and is idempotent', async () => {
    const all = definitions(500, 'many');
    const direct = { ...scene.access, DAYWATCH_URL: scene.app.origin };
    expect(await run(lines(all), direct)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: '500 of 500 monitors applied\n',
    });
    expect(await run(all, direct)).toMatchObject({ code: 0, stderr: '', stdout: '500 of 500 monitors applied\n' });
    const found = await applied(scene.api, 'many');
    expect(found).toHaveLength(500);
    const byKey = new Map(found.map((one) => [one.key, one]));
    for (const { key, description } of all) expect(byKey.get(key)).toMatchObject({ description, revision: 1 });
  }, 180_000);

  it('fails if one monitor is rejected, reports which and why, and applies the others', async () => {
    const all = definitions(20, 'one-wrong');
    all[11]!.intervalSeconds = 0;
    const { code, stdout, stderr } = await run(all);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '19 of 20 monitors applied\n' });
    expect(stderr).toContain('"/intervalSeconds"');
    expect(stderr).toContain('key:one-wrong-11');
    expect(await applied(scene.api, 'one-wrong')).toHaveLength(19);
  });

  it('applies monitors after those that they depend on, in whatever order they are listed', async () => {
    const all = definitions(12, 'nested').map((one, at) => ({
      ...one,
      parentIds: at < 9 ? [`key:nested-${at + 3}`] : [],
    }));
    expect(await run(all)).toMatchObject({ code: 0, stderr: '', stdout: '12 of 12 monitors applied\n' });
    const found = await applied(scene.api, 'nested');
    const idOf = new Map(found.map(({ key, id }) => [key, id]));
    expect(found.find(({ key }) => key === 'nested-0')!.parentIds).toEqual([idOf.get('nested-3')]);
  });

  it('reports the monitors of a cycle, and applies the others', async () => {
    const [one, two, free] = definitions(3, 'cycle');
    const all = [{ ...one, parentIds: ['key:cycle-1'] }, { ...two, parentIds: ['key:cycle-0'] }, free];
    const { code, stdout, stderr } = await run(all);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '1 of 3 monitors applied\n' });
    expect(stderr).toContain('"/parentIds/0"');
  });

  it.each(['refused', 'late'] as const)('succeeds if a request is %s by a proxy', async (mishap) => {
    scene.front.next('PUT', `key:${mishap}-3`, mishap);
    expect(await run(definitions(10, mishap))).toMatchObject({ code: 0, stdout: '10 of 10 monitors applied\n' });
    expect(await applied(scene.api, mishap)).toHaveLength(10);
  });

  it('fails if a connection is cut', async () => {
    scene.front.next('PUT', 'key:cut-0', 'cut');
    const { code, stdout, stderr } = await run(definitions(10, 'cut'));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '9 of 10 monitors applied\n' });
    expect(stderr).toMatch(/curl: \((52|56)\)/);
  });

  it.each<[string, string]>([
    ['a duplicate key', lines([...definitions(2, 'twice'), ...definitions(1, 'twice')])],
    ['invalid JSON', '{"key": "half"'],
  ])('sends no request with %s', async (_, content) => {
    const before = scene.front.passed.length;
    expect((await run(content)).code).toBeGreaterThan(0);
    expect(scene.front.passed).toHaveLength(before);
  });

  it('fails for a definition without a key', async () => {
    expect(await run(definitions(3, 'unnamed').map(({ key: _, ...rest }) => rest))).toMatchObject({ code: 1 });
    expect(await applied(scene.api, 'unnamed')).toEqual([]);
  });
});

describeScripts('apply-monitors.sh under a rate limit of 30 requests, refilled by one every 2 s', () => {
  let scene: PipelineScene;
  beforeAll(async () => {
    scene = await openScene({ RATE_LIMIT_PER_MINUTE: '30' });
  });
  afterAll(() => scene.close());

  it('waits for Retry-After, and applies more monitors than the limit permits at once', async () => {
    const { stage, access, api, front } = scene;
    const file = await stage.file('monitors', definitions(36, 'limited'));
    const outcome = await stage.run('apply-monitors.sh', [file], access);
    expect(outcome).toMatchObject({ code: 0, stderr: '', stdout: '36 of 36 monitors applied\n' });
    expect(await applied(api, 'limited')).toHaveLength(36);
    const count = (status: number) => front.passed.filter((one) => one.status === status).length;
    expect(count(201)).toBe(36);
    expect(count(429)).toBeGreaterThan(0);
    // Each of the eight workers waits for Retry-After: at most six limited requests each in 12 s.
    expect(count(429)).toBeLessThanOrEqual(8 * 6);
  }, 60_000);
});
