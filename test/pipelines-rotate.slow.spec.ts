import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readdir, readFile, stat } from 'node:fs/promises';
import { openScene, type PipelineScene } from './support/pipeline-scene.js';
import { DEFAULT_LIMITS, describeScripts } from './support/pipelines.js';

describeScripts('rotate-key.sh', () => {
  let scene: PipelineScene;
  let serial = 0;
  beforeAll(async () => {
    scene = await openScene(DEFAULT_LIMITS);
  });
  afterAll(() => scene.close());

  /** Creates a key and the file with its secret. */
  async function makeKey(...scopes: string[]) {
    const { api, stage, access } = scene;
    const { body } = await api.post<{ secret: string }>('/v1/api-keys', { name: 'CI', scopes });
    const file = await stage.file(`key-${serial++}`, body.secret);
    const rotate = (...args: string[]) =>
      stage.run('rotate-key.sh', [file, ...args], { ...access, DAYWATCH_API_KEY: body.secret });
    return { old: body.secret, file, rotate };
  }
  const works = async (secret: string) => (await scene.app.api(secret).get('/v1/api-keys/self')).status === 200;
  const stored = (file: string) => readFile(file, 'utf8');

  it('stores the new secret readable only by the owner, and the old one remains valid for the overlap', async () => {
    const { old, file, rotate } = await makeKey('write');
    const { code, stdout, stderr, shown: seen } = await rotate('3600');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const secret = await stored(file);
    expect(secret).not.toBe(old);
    expect(secret).toMatch(/^dw_\w+$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect([await works(secret), await works(old)]).toEqual([true, true]);
    expect(stdout + seen).not.toContain(secret);
    const until = Date.parse(/until (\S+)\.\n$/.exec(stdout)![1]!);
    expect(Math.abs(until - Date.now() - 3_600_000)).toBeLessThan(60_000);
  });

  it.each([
    ['refused', 0],
    ['late', 22],
    ['cut', 52],
  ] as const)(
    'can be repeated if its request was %s (exit code %i), and stores a valid secret',
    async (mishap, ends) => {
      const { old, file, rotate } = await makeKey('write');
      scene.front.next('POST', '/rotate', mishap);
      const { code } = await rotate();
      expect(code).toBe(ends);
      if (code !== 0) {
        expect(await stored(file)).toBe(old);
        expect((await rotate()).code).toBe(0);
      }
      const secret = await stored(file);
      expect(secret).not.toBe(old);
      expect([await works(secret), await works(old)]).toEqual([true, true]);
    },
  );

  it('changes no file and leaves no other behind if the key lacks the scope write', async () => {
    const { old, file, rotate } = await makeKey('read');
    expect(await rotate()).toMatchObject({ code: 22, stderr: expect.stringContaining('insufficient_scope') });
    expect(await stored(file)).toBe(old);
    expect((await readdir(scene.stage.folder)).filter((name) => /^key-\d+\./.test(name))).toEqual([]);
  });
});
