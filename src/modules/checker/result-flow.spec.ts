import { Logger } from '@nestjs/common';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CAN_MOUNT, mountDisk } from '../../../test/support/disk.js';
import { eventually } from '../../../test/support/eventually.js';
import { timed } from '../../../test/support/timed.js';
import { NO_TIMINGS } from '../../domain/check-result.js';
import { type CheckResult } from './check-queue.js';
import { LeaseLost } from './lease-lost.js';
import { ResultFlow } from './result-flow.js';
import { Spool } from './spool.js';

const MIB = 1_048_576;
const AWAY = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });

/** Takes the place of the transaction: stores results in the order in which they arrive. */
class Records {
  readonly keys = new Set<number>();
  readonly order: number[] = [];
  away = false;
  /** Calls wait for this promise. */
  held: Promise<void> = Promise.resolve();
  /** Results that are always rejected. */
  refused = new Set<number>();
  calls = 0;

  readonly record = async (results: readonly CheckResult[]): Promise<number> => {
    this.calls += 1;
    await new Promise((resolve) => setImmediate(resolve));
    await this.held;
    if (this.away) throw AWAY;
    if (results.some(({ scheduledAt }) => this.refused.has(scheduledAt))) throw new Error('refused');
    const fresh = results.filter(({ scheduledAt }) => !this.keys.has(scheduledAt));
    for (const { scheduledAt } of fresh) {
      this.keys.add(scheduledAt);
      this.order.push(scheduledAt);
    }
    return fresh.length;
  };
}

let folder: string;
let records: Records;
let noted: CheckResult[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daywatch-flow-'));
  records = new Records();
  noted = [];
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const flowOn = (spool: Spool): ResultFlow => new ResultFlow(spool, records.record, (some) => noted.push(...some));
/** The log of each fault would hide the output of the tests. */
beforeAll(() => void Logger.overrideLogger(false));

let serial = 0;
/** Returns results that all differ, in the order of their creation. */
const results = (count: number, teamId?: string): CheckResult[] =>
  Array.from({ length: count }, () => ({
    monitorId: 'm',
    teamId,
    scheduledAt: serial++,
    location: 'default',
    attempt: 0,
    trigger: 'schedule',
    revision: 1,
    intervalMs: 1_000,
    epoch: 1,
    checkedAt: serial,
    status: 'up',
    outcome: {
      statusCode: 200,
      responseTimeMs: 1,
      timings: NO_TIMINGS,
      remoteAddress: null,
      error: null,
      failedAssertions: [],
    },
  }));

const reports = (count: number): CheckResult[] =>
  results(count).map((result) => ({
    ...{ ...result, trigger: 'heartbeat' as const, attempt: -1 },
    ping: { kind: 'success' as const, runId: null, exitStatus: null, method: 'GET', body: null, durationMs: null },
  }));

const slots = (list: readonly CheckResult[]): number[] => list.map((one) => one.scheduledAt);

describe('ResultFlow', () => {
  it('does not use the disk while the database accepts results', async () => {
    const spool = new Spool(join(folder, 'spool'), MIB);
    const flow = flowOn(spool);
    const all = results(5_000);
    flow.take(all);
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, recorded: 5_000 }));
    expect(records.order).toEqual(slots(all));
    await expect(rm(join(folder, 'spool'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('accepts any number of results at once', async () => {
    const flow = flowOn(new Spool(join(folder, 'spool'), MIB));
    flow.take(results(150_000));
    await flow.finish(0);
    expect(flow.figures.dropped).toBe(50_000);
  });

  it('spools results while the database is away, and records them in order while more arrive', async () => {
    const spool = new Spool(join(folder, 'spool'), 64 * MIB);
    const flow = flowOn(spool);
    const all: CheckResult[] = [];
    const take = (count: number): void => {
      const some = results(count);
      all.push(...some);
      flow.take(some);
    };
    records.away = true;
    for (let turn = 0; turn < 30; turn += 1) {
      take(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, spooled: 15_000 }));
    expect(noted).toHaveLength(15_000);
    records.away = false;
    const steady = setInterval(() => take(10), 5);
    try {
      await eventually(() => expect(spool.isEmpty).toBe(true));
    } finally {
      clearInterval(steady);
    }
    take(1);
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, recorded: all.length, dropped: 0 }));
    expect(records.order).toEqual(slots(all));
    expect(spool.isEmpty).toBe(true);
  });

  it('is behind if the database is slower than results arrive, but not while it is away', async () => {
    const flow = flowOn(new Spool(join(folder, 'spool'), 64 * MIB));
    expect(flow.isBehind).toBe(false);
    records.away = true;
    for (let turn = 0; turn < 8; turn += 1) {
      flow.take(results(1_000));
      await eventually(() => expect(flow.figures.waiting).toBe(0));
      expect(flow.isBehind).toBe(false);
    }
    records.away = false;
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, spooled: 0 }));

    let release = (): void => undefined;
    records.held = new Promise((resolve) => (release = resolve));
    flow.take(results(5_500));
    expect(flow.isBehind).toBe(true);
    // Enough results to be spooled.
    flow.take(results(12_000));
    await eventually(() => expect(flow.figures.spooled).toBeGreaterThan(10_000));
    expect(flow.isBehind).toBe(true);
    release();
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, spooled: 0, recorded: 25_500 }));
    expect(flow.isBehind).toBe(false);
  });

  it('lets a team with few results neither wait nor be recorded late while another has too many', async () => {
    const flow = flowOn(new Spool(join(folder, 'spool'), 64 * MIB));
    const waits = (team: string): boolean => flow.mustWait(team);
    let release = (): void => undefined;
    records.held = new Promise((resolve) => (release = resolve));
    const [many, few] = [results(5_900, 'many'), results(300, 'few')];
    flow.take(many.slice(0, 900));
    await eventually(() => expect(records.calls).toBe(1));
    flow.take(many.slice(900, 4_500));
    expect({ behind: flow.isBehind, many: waits('many') }).toEqual({ behind: false, many: false });
    flow.take(many.slice(4_500));
    flow.take(few);
    expect({ behind: flow.isBehind, many: waits('many'), few: waits('few'), other: waits('other') }).toEqual({
      behind: true,
      many: true,
      few: false,
      other: false,
    });
    release();
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, recorded: 6_200 }));
    // In the batch after the one that was in progress, and each team in its order.
    const expected = [...many.slice(0, 900 + 700), ...few, ...many.slice(1_600)];
    expect(records.order).toEqual(slots(expected));
    expect(waits('many')).toBe(false);
  });

  it('lets every team wait while the spool grows', async () => {
    const flow = flowOn(new Spool(join(folder, 'spool'), 64 * MIB));
    let release = (): void => undefined;
    records.held = new Promise((resolve) => (release = resolve));
    flow.take(results(20_000, 'many'));
    await eventually(() => expect(flow.figures.spooled).toBeGreaterThan(10_000));
    expect(flow.mustWait('few')).toBe(true);
    release();
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, spooled: 0, recorded: 20_000 }));
    expect(flow.mustWait('many')).toBe(false);
  });

  it('drops only the result that the database rejects, also from the spool', async () => {
    const spool = new Spool(join(folder, 'spool'), MIB);
    const flow = flowOn(spool);
    const all = results(100);
    records.refused.add(all[40]!.scheduledAt);
    records.away = true;
    flow.take(all);
    await eventually(() => expect(flow.figures.spooled).toBe(100));
    records.away = false;
    await eventually(() => expect(flow.figures).toMatchObject({ recorded: 99, dropped: 1, spooled: 0 }));
  });

  it('spools results if the database is slower than they arrive', async () => {
    const spool = new Spool(join(folder, 'spool'), 64 * MIB);
    const flow = flowOn(spool);
    let release = (): void => undefined;
    records.held = new Promise((resolve) => (release = resolve));
    flow.take(results(25_000));
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, spooled: 25_000 }));
    release();
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, recorded: 25_000, spooled: 0 }));
    expect(records.keys.size).toBe(25_000);
  });

  it('holds results in memory while the spool is full, and counts those dropped once memory is full', async () => {
    const spool = new Spool(join(folder, 'spool'), MIB);
    const flow = flowOn(spool);
    records.away = true;
    const first = results(1_500);
    flow.take(first);
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, spooled: 1_500 }));
    const more = results(110_000);
    for (let from = 0; from < more.length; from += 1_000) {
      flow.take(more.slice(from, from + 1_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await eventually(() => expect(flow.figures.spoolBytes).toBeGreaterThan(MIB / 2));
    const { waiting, spooled, dropped, spoolBytes } = flow.figures;
    expect(spoolBytes).toBeLessThanOrEqual(MIB);
    expect(waiting).toBeLessThanOrEqual(100_000);
    expect(dropped).toBeGreaterThan(0);
    expect(waiting + spooled + dropped).toBe(first.length + more.length);
    records.away = false;
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, spooled: 0 }), 60_000);
    // All results that fit into memory are recorded. Those that arrived while it was full are dropped; writing to the
    // spool may have made room again for later ones.
    const taken = slots([...first, ...more]);
    const kept = new Set(records.order);
    expect(records.order.slice(0, 100_000)).toEqual(taken.slice(0, 100_000));
    expect(records.order).toEqual(taken.filter((slot) => kept.has(slot)));
    expect(records.order).toHaveLength(spooled + waiting);
  }, 120_000);

  it('holds results in memory while the disk accepts none, and resumes when it does', async () => {
    await writeFile(join(folder, 'spool'), 'a file, not a folder');
    const spool = new Spool(join(folder, 'spool'), MIB);
    const flow = flowOn(spool);
    records.away = true;
    flow.take(results(10));
    await eventually(() => expect(records.calls).toBeGreaterThan(1));
    expect(flow.figures).toMatchObject({ waiting: 10, spooled: 0, dropped: 0 });
    await rm(join(folder, 'spool'));
    flow.take(results(1));
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, spooled: 11 }));
    records.away = false;
    await eventually(() => expect(records.order).toHaveLength(11));
  });

  it('refuses reports that neither the database nor the disk accepts, and keeps the other results', async () => {
    await writeFile(join(folder, 'spool'), 'a file, not a folder');
    const flow = flowOn(new Spool(join(folder, 'spool'), MIB));
    records.away = true;
    flow.take(results(10));
    await expect(flow.store(reports(2))).rejects.toThrow('Neither the database nor the disk accepts reports.');
    expect(flow.figures).toMatchObject({ waiting: 10, dropped: 0 });
    records.away = false;
    await eventually(() => flow.store(reports(1)));
    expect(records.order).toHaveLength(11);
  });

  it('continues after a segment without an intact line, which it leaves on disk', async () => {
    const spool = new Spool(join(folder, 'spool'), MIB);
    const flow = flowOn(spool);
    records.away = true;
    flow.take(results(3));
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, spooled: 3 }));
    const [segment] = await readdir(join(folder, 'spool'));
    await writeFile(join(folder, 'spool', segment!), 'not a line of a segment');
    records.away = false;
    await eventually(() => expect(spool.isEmpty).toBe(true));
    flow.take(results(2));
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, recorded: 2 }));
    expect(await readdir(join(folder, 'spool'))).toEqual([segment]);
  });

  (CAN_MOUNT ? it : it.skip)('loses no result on a disk that is full to the last byte (requires root)', async () => {
    const disk = join(folder, 'disk');
    const unmount = await mountDisk(disk, 1_024);
    try {
      const spool = new Spool(join(disk, 'spool'), 64 * MIB);
      const flow = flowOn(spool);
      records.away = true;
      const all = results(6_000);
      for (let from = 0; from < all.length; from += 100) {
        flow.take(all.slice(from, from + 100));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await eventually(() => expect(flow.figures.spooled).toBeGreaterThan(100));
      const { waiting, spooled } = flow.figures;
      expect(waiting + spooled).toBe(6_000);
      expect(waiting).toBeGreaterThan(0);
      records.away = false;
      await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, spooled: 0, dropped: 0 }));
      expect(records.order).toEqual(slots(all));
    } finally {
      unmount();
    }
  });

  (CAN_MOUNT ? it : it.skip)(
    'is not behind while the database is away and the disk is full (requires root)',
    async () => {
      const unmount = await mountDisk(join(folder, 'disk'), 64);
      const behind: boolean[] = [];
      const flow = new ResultFlow(
        new Spool(join(folder, 'disk', 'spool'), MIB),
        (some) => {
          behind.push(flow.isBehind);
          return records.record(some);
        },
        () => undefined,
      );
      records.away = true;
      flow.take(results(12_000));
      const steady = setInterval(() => flow.take(results(1)), 1);
      try {
        await eventually(() => expect(behind.length).toBeGreaterThan(5));
        // Before the first response, the outage is not known.
        expect(behind.slice(1)).not.toContain(true);
      } finally {
        clearInterval(steady);
        await flow.finish(1_000);
        unmount();
      }
    },
  );
});

describe('ResultFlow.finish', () => {
  it('leaves results that the database does not accept for the next start, which records them first', async () => {
    const spool = new Spool(join(folder, 'spool'), MIB);
    const flow = flowOn(spool);
    records.away = true;
    const all = results(50);
    flow.take(all);
    const { tookMs } = await timed(() => flow.finish(6_000));
    expect(tookMs).toBeLessThan(3_000);
    expect(flow.figures).toMatchObject({ waiting: 0, spooled: 50, dropped: 0 });

    records.away = false;
    const next = new Spool(join(folder, 'spool'), MIB);
    await next.recover();
    const nextFlow = flowOn(next);
    nextFlow.start();
    const later = results(5);
    nextFlow.take(later);
    await eventually(() => expect(records.order).toEqual(slots([...all, ...later])));
  });

  it('spools results that the database does not confirm in time', async () => {
    const spool = new Spool(join(folder, 'spool'), MIB);
    const flow = new ResultFlow(
      spool,
      () => new Promise(() => undefined),
      () => undefined,
    );
    flow.take(results(7));
    await flow.finish(50);
    expect(flow.figures).toMatchObject({ waiting: 0, spooled: 7 });
  });

  it('records the results in memory if the database accepts them', async () => {
    const spool = new Spool(join(folder, 'spool'), MIB);
    const flow = flowOn(spool);
    const all = results(3_500);
    flow.take(all);
    await flow.finish(6_000);
    expect(records.order).toEqual(slots(all));
    expect(spool.isEmpty).toBe(true);
  });
});

describe('ResultFlow with results that are kept where they came from', () => {
  let keeps: boolean;
  let lost: ReadonlySet<string>;
  let spool: Spool;

  beforeEach(() => {
    keeps = true;
    lost = new Set();
    spool = new Spool(join(folder, 'spool'), MIB);
  });

  const flowThatKeeps = (): ResultFlow =>
    new ResultFlow(
      spool,
      async (some) => {
        if (some.some(({ monitorId }) => lost.has(monitorId))) throw new LeaseLost((id) => lost.has(id));
        return records.record(some);
      },
      () => undefined,
      () => keeps,
    );

  it('confirms them once they are recorded', async () => {
    const flow = flowThatKeeps();
    const all = results(1_500);
    await flow.store(all);
    expect(records.order).toEqual(slots(all));
  });

  it('neither spools nor confirms them while the database is away, until they are kept no longer', async () => {
    const flow = flowThatKeeps();
    records.away = true;
    let confirmed = 0;
    const [first, second] = [results(3), results(4)];
    const stored = [first, second].map((some) => flow.store(some).then(() => (confirmed += 1)));
    await eventually(() => expect(records.calls).toBeGreaterThanOrEqual(2));
    expect(confirmed).toBe(0);
    expect(flow.figures).toMatchObject({ waiting: 7, spooled: 0 });
    keeps = false;
    await Promise.all(stored);
    expect(records.order).toEqual([]);
    records.away = false;
    await eventually(() => expect(records.order).toEqual(slots([...first, ...second])));
  });

  it('does not spool them while the database responds, however many wait', async () => {
    const flow = flowThatKeeps();
    let release!: () => void;
    records.held = new Promise((resolve) => (release = resolve));
    const all = results(12_000);
    const stored = flow.store(all);
    await eventually(() => expect(records.calls).toBe(1));
    expect(flow.figures).toMatchObject({ waiting: 12_000, spooled: 0 });
    expect(flow.isBehind).toBe(true);
    release();
    await stored;
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, recorded: 12_000, dropped: 0 }));
    expect(spool.figures.results).toBe(0);
  });

  it('leaves those to another process that it records, and records the others', async () => {
    const flow = flowThatKeeps();
    lost = new Set(['elsewhere']);
    const others = results(2).map((one) => ({ ...one, monitorId: 'elsewhere' }));
    const own = results(3);
    const outcomes = await Promise.allSettled([flow.store(others), flow.store(own)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(records.order).toEqual(slots(own));
    await eventually(() => expect(flow.figures).toMatchObject({ waiting: 0, dropped: 0 }));
  });

  it('leaves those to another process that are not recorded at the end', async () => {
    const flow = flowThatKeeps();
    records.away = true;
    const stored = flow.store(results(5));
    const [outcome] = await Promise.allSettled([stored, flow.finish(50)]);
    expect(outcome.status).toBe('rejected');
    expect(spool.isEmpty).toBe(true);
  });
});
