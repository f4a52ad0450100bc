import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { NO_TIMINGS } from '../../domain/check-result.js';
import { type CheckResult } from './check-queue.js';
import { decodeLines, encodeLines, wholeLines } from './spool-lines.js';
import { Spool, SpoolFullError } from './spool.js';

const MIB = 1_048_576;

let folder: string;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'daywatch-spool-')), 'spool');
});

afterEach(async () => {
  await rm(join(folder, '..'), { recursive: true, force: true });
});

const monitorId = uuidv7();

function result(serial: number, more: Partial<CheckResult> = {}): CheckResult {
  return {
    monitorId,
    scheduledAt: 1_000 * serial,
    location: 'default',
    attempt: 0,
    trigger: 'schedule',
    revision: 1,
    intervalMs: 1_000,
    thresholds: { failureThreshold: 2, recoveryThreshold: 1 },
    epoch: 1,
    checkedAt: 1_000 * serial + 3,
    status: 'up',
    outcome: {
      statusCode: 200,
      responseTimeMs: 1.5,
      timings: NO_TIMINGS,
      remoteAddress: '127.0.0.1',
      error: null,
      failedAssertions: [],
    },
    ...more,
  };
}

const results = (from: number, count: number): CheckResult[] =>
  Array.from({ length: count }, (_, index) => result(from + index));

const files = async (): Promise<string[]> => (await readdir(folder)).sort();

/** Removes and returns all results of the spool in order. */
async function drain(spool: Spool): Promise<CheckResult[]> {
  const found: CheckResult[] = [];
  for (let some = await spool.oldest(); some; some = await spool.oldest()) {
    found.push(...some);
    await spool.removeOldest();
  }
  return found;
}

/** Returns the id of a process that has ended. */
function deadProcess(): number {
  return spawnSync(process.execPath, ['-e', '0']).pid;
}

/** Renames the segments as if a dead process had written them. */
async function orphan(pid = deadProcess()): Promise<void> {
  for (const name of await files()) {
    await rename(join(folder, name), join(folder, name.replace(/-\d+-([\da-f]{8}\.)/, `-${pid}-$1`)));
  }
}

describe('the lines of a segment', () => {
  it('decode to the encoded results, whatever text they contain', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }), (texts) => {
        const made = texts.map((message, at) => {
          const { outcome } = result(at);
          return result(at, { outcome: { ...outcome, error: { code: 'timeout', message } } });
        });
        // A lone surrogate is not a character and becomes the replacement character.
        expect(decodeLines(encodeLines(made))).toEqual(JSON.parse(JSON.stringify(made)));
      }),
    );
  });

  it('are decoded only if complete, wherever a crash has truncated the file', () => {
    const lines = encodeLines(results(0, 5));
    const length = lines.indexOf('\n') + 1;
    for (let cut = 0; cut <= lines.length; cut += 1) {
      const { texts, damagedBytes } = wholeLines(lines.subarray(0, cut));
      const ends = [...lines.subarray(0, cut)].filter((byte) => byte === 0x0a).length;
      expect(texts).toHaveLength(ends);
      if (cut < length) expect(damagedBytes).toBe(cut);
    }
  });

  it('are skipped one by one if a bit has changed, and later lines are decoded', () => {
    const lines = encodeLines(results(0, 3));
    const first = lines.indexOf('\n') + 1;
    for (let at = 0; at < first; at += 1) {
      const damaged = Buffer.from(lines);
      damaged[at]! ^= 1;
      const found = decodeLines(damaged).map((one) => one.scheduledAt);
      expect(found.slice(-1)).toEqual([2_000]);
      expect(found).not.toContain(0);
    }
  });
});

describe('a spool', () => {
  it('returns appended results in order, over many segments, and leaves no file', async () => {
    const spool = new Spool(folder, 64 * MIB);
    expect(spool.isEmpty).toBe(true);
    // Concurrent appends are stored in the order of the calls.
    await Promise.all(Array.from({ length: 12 }, (_, batch) => spool.append(results(batch * 1_000, 1_000))));
    expect((await files()).length).toBeGreaterThan(3);
    expect(spool.figures.results).toBe(12_000);
    expect((await drain(spool)).map((one) => one.scheduledAt)).toEqual(
      results(0, 12_000).map((one) => one.scheduledAt),
    );
    expect(spool.isEmpty).toBe(true);
    expect(spool.figures).toEqual({ results: 0, bytes: 0 });
    expect(await files()).toEqual([]);
  });

  it('accepts results while older ones are read', async () => {
    const spool = new Spool(folder, MIB);
    await spool.append(results(0, 2));
    expect(await spool.oldest()).toEqual(results(0, 2));
    await spool.append(results(2, 2));
    // They are not recorded yet, so they are returned again.
    expect(await spool.oldest()).toEqual(results(0, 2));
    await spool.removeOldest();
    expect(await drain(spool)).toEqual(results(2, 2));
  });

  it('is readable only by its owner', async () => {
    const spool = new Spool(folder, MIB);
    await spool.append(results(0, 1));
    await spool.close();

    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, (await files())[0]!))).mode & 0o777).toBe(0o600);
  });

  it('does not exceed its maximum size, and resumes when there is room', async () => {
    const size = encodeLines(results(0, 10)).length;
    const spool = new Spool(folder, size * 2);
    await spool.append(results(0, 10));
    await spool.append(results(0, 10));
    await expect(spool.append(results(0, 1))).rejects.toBeInstanceOf(SpoolFullError);
    expect(spool.figures).toEqual({ results: 20, bytes: size * 2 });
    await spool.oldest();
    await spool.removeOldest();
    await spool.append(results(20, 1));
    expect(await drain(spool)).toEqual(results(20, 1));
  });

  it('retains results that were appended before the disk failed, and resumes when it works again', async () => {
    const spool = new Spool(folder, MIB);
    await spool.append(results(0, 3));
    await spool.oldest();
    // The next segment requires the folder, but there is a file.
    await rename(folder, `${folder}.away`);
    await writeFile(folder, '');
    await expect(spool.append(results(3, 3))).rejects.toMatchObject({ code: 'EEXIST' });
    await rm(folder);
    await rename(`${folder}.away`, folder);
    await spool.append(results(6, 3));
    expect((await drain(spool)).map((one) => one.scheduledAt)).toEqual([0, 1_000, 2_000, 6_000, 7_000, 8_000]);
  });

  it('appends results again if another process has taken over the segment', async () => {
    const spool = new Spool(folder, MIB);
    await spool.append(results(0, 2));
    const [name] = await files();
    await rename(join(folder, name!), join(folder, 'taken'));
    await spool.append(results(2, 2));
    expect(decodeLines(await readFile(join(folder, 'taken'))).slice(0, 2)).toEqual(results(0, 2));
    expect(await drain(spool)).toEqual(results(2, 2));
  });
});

describe('Spool.recover', () => {
  it('finds the results of an earlier process in order, the off-schedule checks and the newest start', async () => {
    const before = new Spool(folder, 64 * MIB);
    const manual = result(7, { attempt: -5, trigger: 'manual' });
    await before.append(results(0, 3_000));
    await before.append([manual, ...results(3_000, 2)]);
    await before.close();
    await orphan();
    const spool = new Spool(folder, 64 * MIB);
    const leftover = await spool.recover();
    expect(leftover).toMatchObject({ results: 3_003, damagedBytes: 0, newestCheckedAt: 3_001_003 });
    expect(leftover.promised).toEqual([manual]);
    // New results follow the recovered ones.
    await spool.append(results(4_000, 1));
    expect(await drain(spool)).toEqual([...results(0, 3_000), manual, ...results(3_000, 2), ...results(4_000, 1)]);
  });

  it('skips an incomplete result at the end, and deletes a segment without intact lines', async () => {
    const before = new Spool(folder, MIB);
    await before.append(results(0, 3));
    await before.close();
    const path = join(folder, (await files())[0]!);
    await truncate(path, encodeLines(results(0, 3)).length - 1);
    await writeFile(path.replace(/\d{13}/, '9999999999999'), 'torn');
    await orphan();
    const spool = new Spool(folder, MIB);
    expect(await spool.recover()).toMatchObject({ results: 2, damagedBytes: encodeLines([result(2)]).length - 1 + 4 });
    expect(await drain(spool)).toEqual(results(0, 2));
    expect(await files()).toEqual([]);
  });

  it('takes over segments of a process that had the same id, but not of one that is alive', async () => {
    const before = new Spool(folder, MIB);
    await before.append(results(0, 1));
    await before.close();
    await orphan(1);
    expect(await new Spool(folder, MIB).recover()).toMatchObject({ results: 0 });
    await orphan(process.pid);
    expect(await new Spool(folder, MIB).recover()).toMatchObject({ results: 1 });
  });

  it('takes over segments from before the machine started, although another process has the id now', async () => {
    const before = new Spool(folder, MIB);
    await before.append(results(0, 2));
    await before.close();
    await orphan(1);
    const earlier = new Date(Date.now() - (uptime() + 3_600) * 1_000);
    for (const name of await files()) await utimes(join(folder, name), earlier, earlier);
    const spool = new Spool(folder, MIB);
    expect(await spool.recover()).toMatchObject({ results: 2 });
    expect(await drain(spool)).toEqual(results(0, 2));
  });

  it('takes over later what was left meanwhile, unless it was written recently or this spool is in use', async () => {
    const spool = new Spool(folder, MIB);
    expect(await spool.recover()).toMatchObject({ results: 0 });
    const other = new Spool(folder, MIB);
    await other.append(results(0, 2));
    await other.close();
    expect(await spool.recover(60_000)).toMatchObject({ results: 0 });
    const earlier = new Date(Date.now() - 61_000);
    for (const name of await files()) await utimes(join(folder, name), earlier, earlier);
    await spool.append(results(5, 1));
    expect(await spool.recover(60_000)).toMatchObject({ results: 0 });
    expect(await drain(spool)).toEqual(results(5, 1));
    expect(await spool.recover(60_000)).toMatchObject({ results: 2 });
    expect(await drain(spool)).toEqual(results(0, 2));
  });

  it('does not take over what it has set aside', async () => {
    const spool = new Spool(folder, MIB);
    await spool.append(results(0, 1));
    await spool.oldest();
    await spool.setOldestAside();
    expect(await spool.recover()).toMatchObject({ results: 0 });
    expect(await new Spool(folder, MIB).recover()).toMatchObject({ results: 1 });
  });

  it('finds nothing if there is no folder, and ignores other files', async () => {
    expect(await new Spool(folder, MIB).recover()).toMatchObject({ results: 0, newestCheckedAt: null });
    await mkdir(folder);
    await appendFile(join(folder, 'notes.txt'), 'not ours');
    expect(await new Spool(folder, MIB).recover()).toMatchObject({ results: 0 });
    expect(await files()).toEqual(['notes.txt']);
  });

  it('leaves a segment that cannot be read on disk', async () => {
    const spool = new Spool(folder, MIB);
    await spool.append(results(0, 1));
    await spool.close();
    const [name] = await files();
    await rm(join(folder, name!));
    await mkdir(join(folder, name!));
    await expect(spool.oldest()).rejects.toMatchObject({ code: 'EISDIR' });
    await spool.setOldestAside();
    await spool.append(results(1, 1));
    expect(await drain(spool)).toEqual(results(1, 1));
    expect(await files()).toEqual([name]);
  });
});
