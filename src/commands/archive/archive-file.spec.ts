import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ArchiveError, readArchive, writeArchive } from './archive-file.js';

const NEVER = new AbortController().signal;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daywatch-archive-'));
  file = join(folder, 'one.gz');
});

afterAll(() => rm(folder, { recursive: true }));

// eslint-disable-next-line @typescript-eslint/require-await
async function* chunksOf(...chunks: string[]): AsyncGenerator<string> {
  yield* chunks;
}

async function read(path = file): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readArchive(path)) lines.push(line);
  return lines;
}

describe('an archive', () => {
  it.each<[string, string[]]>([
    ['nothing', []],
    ['an empty line', ['']],
    ['characters that other readers treat as line ends', ['a\rb\u2028c\u2029d\u0085e']],
    ['text outside of ASCII', ['ü', '✓', '🌍'.repeat(50_000)]],
    ['many lines', Array.from({ length: 20_000 }, (_, n) => `line ${n}`)],
  ])('preserves %s', async (_what, lines) => {
    await writeArchive(file, chunksOf(...lines.map((line) => `${line}\n`)), NEVER);
    expect(await read()).toEqual(lines);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('is rejected if it is truncated, modified or not an archive', async () => {
    await writeArchive(file, chunksOf('first\nsecond\n', 'third\n'), NEVER);
    const whole = await readFile(file);
    const text = gunzipSync(whole).toString();
    const other = join(folder, 'other.gz');
    const variants = [
      ...Array.from(whole.keys(), (length) => whole.subarray(0, length)),
      ...['second', 'second\n', 'third\n'].map((part) => gzipSync(text.replace(part, ''))),
      gzipSync(text.replace('first', 'worst')),
      gzipSync(`${text}more\n`),
      gzipSync(text + text),
      Buffer.from(text),
    ];
    for (const bytes of variants) {
      await writeFile(other, bytes);
      await expect(read(other)).rejects.toThrow(ArchiveError);
    }
    await expect(read(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('appears complete or not at all', async () => {
    await writeArchive(file, chunksOf('before\n'), NEVER);
    async function* failing(): AsyncGenerator<string> {
      yield 'half\n';
      await Promise.reject(new Error('broke off'));
    }
    await expect(writeArchive(file, failing(), NEVER)).rejects.toThrow('broke off');
    const stopped = AbortSignal.abort(new Error('Interrupted.'));
    await expect(writeArchive(file, chunksOf('x\n'), stopped)).rejects.toThrow('Interrupted.');
    expect(await read()).toEqual(['before']);
    expect(await readdir(folder)).toEqual(expect.not.arrayContaining([expect.stringContaining('draft')]));
    // Left by a process that was killed, whose process id another process has now.
    await writeFile(`${file}.draft-${process.pid}`, 'half');
    await writeArchive(file, chunksOf('after\n'), NEVER);
    expect(await read()).toEqual(['after']);
    await expect(writeArchive(join(folder, 'no', 'such'), chunksOf(), NEVER)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
