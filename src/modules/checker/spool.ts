import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../database/embedded/postmaster-file.js';
import { type CheckKey } from '../monitors/schedule/check-plan.types.js';
import { type CheckResult, isRequested } from './check-queue.js';
import { decodeLines, encodeLines, wholeLines } from './spool-lines.js';

/** Size at which a segment is complete. After a crash, the replay of a segment is repeated, which is harmless. */
const SEGMENT_BYTES = 1_048_576;
/** `<creation time>-<random>-<process id>-<owner>.spool`: names sort in the order in which segments were written. */
const SEGMENT = /^(\d{13}-[\da-f]{8})-(\d+)-([\da-f]{8})\.spool$/;

interface Segment {
  path: string;
  results: number;
  bytes: number;
}

/** The contents of the spool that earlier processes left behind. */
export interface Leftover {
  results: number;
  /** Number of bytes in incomplete or damaged lines. */
  damagedBytes: number;
  /** The off-schedule checks among the results. */
  promised: CheckKey[];
  /** When the newest check began, in epoch milliseconds; `null` if there is none. Reports of jobs do not count. */
  newestCheckedAt: number | null;
}

/** The spool has reached its maximum size. */
export class SpoolFullError extends Error {
  override readonly name = 'SpoolFullError';
}

/**
 * Results on the local disk while the database does not accept them, first in, first out. Appended results survive this
 * process. Segments are files that are written by one process, read once they are sealed, and deleted when all of their
 * results are recorded.
 *
 * Processes may share the folder. A process takes over a segment of a dead one by renaming it. After each write, a
 * process verifies that its file still has its name: if another process took it over by mistake, the results are
 * appended again to another segment, so that none is lost.
 */
export class Spool {
  private readonly owner = `${process.pid}-${randomBytes(4).toString('hex')}`;
  private segments: Segment[] = [];
  /** The handle of the last segment while it is open for writing. */
  private tail: FileHandle | null = null;
  private lastStamp = 0;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly maxBytes: number,
  ) {}

  get isEmpty(): boolean {
    return this.segments.length === 0;
  }

  get figures(): { results: number; bytes: number } {
    return { results: sum(this.segments, 'results'), bytes: sum(this.segments, 'bytes') };
  }

  /**
   * Takes over the segments of dead processes, unless this spool has segments of its own.
   *
   * @param idleMs minimum time since something was written to them: processes in other containers seem dead, and would
   *   have to write again what is taken from them
   */
  recover(idleMs = 0): Promise<Leftover> {
    return this.inTurn(async () => {
      const leftover: Leftover = { results: 0, damagedBytes: 0, promised: [], newestCheckedAt: null };
      // They are older than what this process writes, and must come before it.
      if (!this.isEmpty) return leftover;
      for (const name of (await readdir(this.folder).catch(missingIsEmpty)).sort()) {
        const path = await this.claim(name, idleMs);
        if (path === null) continue;
        const lines = await readFile(path);
        const { texts, damagedBytes } = wholeLines(lines);
        leftover.damagedBytes += damagedBytes;
        if (texts.length === 0) {
          await rm(path);
          continue;
        }
        this.segments.push({ path, results: texts.length, bytes: lines.length });
        leftover.results += texts.length;
        // Off-schedule checks are rare, so that very few lines are parsed here.
        const promised = texts.filter((text) => text.includes('"attempt":-'));
        leftover.promised.push(...promised.map((text) => JSON.parse(text) as CheckResult).filter(isRequested));
        const newest = texts.findLast((text) => !text.includes('"ping":{'));
        if (newest === undefined) continue;
        const { checkedAt } = JSON.parse(newest) as CheckResult;
        leftover.newestCheckedAt = Math.max(checkedAt, leftover.newestCheckedAt ?? 0);
      }
      return leftover;
    });
  }

  /**
   * Appends results: all of them are on disk when this resolves. Rejects with the error of the disk or
   * {@link SpoolFullError}; the caller then still owns the results.
   */
  append(results: readonly CheckResult[]): Promise<void> {
    return this.inTurn(async () => {
      const lines = encodeLines(results);
      if (this.figures.bytes + lines.length > this.maxBytes) throw new SpoolFullError('The spool is full.');
      while (!(await this.write(lines, results.length)));
      if (this.segments.at(-1)!.bytes >= SEGMENT_BYTES) await this.seal();
    });
  }

  /**
   * Returns the results of the oldest segment, at least one, until {@link removeOldest}; `null` if there is no segment.
   */
  oldest(): Promise<CheckResult[] | null> {
    return this.inTurn(async () => {
      for (let first = this.segments[0]; first; first = this.segments[0]) {
        if (this.segments.length === 1) await this.seal();
        try {
          const results = decodeLines(await readFile(first.path));
          if (results.length === 0) throw new Error(`${first.path} contains no intact line`);
          return results;
        } catch (error) {
          // Another process has taken the segment over and records it.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
          this.segments.shift();
        }
      }
      return null;
    });
  }

  /** Deletes the segment that {@link oldest} returned, once its results are recorded. */
  removeOldest(): Promise<void> {
    return this.inTurn(async () => {
      const first = this.segments.shift();
      if (first) await rm(first.path, { force: true });
    });
  }

  /** Leaves the oldest segment, which cannot be read now, on disk for the next start. */
  setOldestAside(): Promise<void> {
    return this.inTurn(() => Promise.resolve(void this.segments.shift()));
  }

  /** Closes the open segment. */
  close(): Promise<void> {
    return this.inTurn(() => this.seal());
  }

  /** Writes to the tail and waits for the disk. Returns false if another process has taken over the tail. */
  private async write(lines: Buffer, results: number): Promise<boolean> {
    const handle = this.tail ?? (await this.begin());
    const segment = this.segments.at(-1)!;
    try {
      for (let done = 0; done < lines.length;) {
        done += (await handle.write(lines, done, lines.length - done, segment.bytes + done)).bytesWritten;
      }
      await handle.datasync();
      if (!(await isNamed(segment.path, handle))) {
        await this.seal();
        this.segments.pop();
        return false;
      }
    } catch (error) {
      await this.giveBack(handle, segment);
      throw error;
    }
    segment.bytes += lines.length;
    segment.results += results;
    return true;
  }

  private async begin(): Promise<FileHandle> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    this.lastStamp = Math.max(Date.now(), this.lastStamp + 1);
    const path = join(this.folder, `${this.lastStamp}-${randomBytes(4).toString('hex')}-${this.owner}.spool`);
    const handle = await open(path, 'wx', 0o600);
    const segment = { path, results: 0, bytes: 0 };
    this.segments.push(segment);
    this.tail = handle;
    try {
      // The directory entry must survive a power failure as well.
      const folder = await open(this.folder, 'r');
      await folder.sync().finally(() => folder.close());
      return handle;
    } catch (error) {
      await this.giveBack(handle, segment);
      throw error;
    }
  }

  /** After a disk error, keeps what was appended before and truncates the rest if the disk permits it. */
  private async giveBack(handle: FileHandle, segment: Segment): Promise<void> {
    await handle.truncate(segment.bytes).catch(() => undefined);
    await this.seal();
    if (segment.results > 0) return;
    this.segments.pop();
    await rm(segment.path, { force: true }).catch(() => undefined);
  }

  private async seal(): Promise<void> {
    const handle = this.tail;
    this.tail = null;
    await handle?.close().catch(() => undefined);
  }

  /** Takes over a segment and returns its path; `null` if it is not a segment, or its owner is alive or writes to it. */
  private async claim(name: string, idleMs: number): Promise<string | null> {
    const [, stamp, pid] = SEGMENT.exec(name) ?? [];
    // What this process has set aside is not readable now.
    if (stamp === undefined || name.endsWith(`-${this.owner}.spool`)) return null;
    const found = join(this.folder, name);
    const path = join(this.folder, `${stamp}-${this.owner}.spool`);
    try {
      // In a container, a dead process may have had the same process id as this one.
      const mayLive = Number(pid) !== process.pid && isAlive(Number(pid));
      const { mtimeMs: writtenAt } = await stat(found);
      if ((mayLive && !isFromEarlierBoot(writtenAt)) || Date.now() - writtenAt < idleMs) return null;
      await rename(found, path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }
}

/** Returns whether a file was last written before this machine started, and so by none of the processes that live now. */
function isFromEarlierBoot(writtenAt: number): boolean {
  return writtenAt < Date.now() - uptime() * 1_000;
}

/** Returns whether the open file is the one at this path. */
async function isNamed(path: string, handle: FileHandle): Promise<boolean> {
  const [named, opened] = await Promise.all([stat(path).catch(missingIsNull), handle.stat()]);
  return named !== null && named.ino === opened.ino && named.dev === opened.dev;
}

function sum(segments: readonly Segment[], figure: 'results' | 'bytes'): number {
  return segments.reduce((total, segment) => total + segment[figure], 0);
}

function missingIsNull(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error;
  return null;
}

function missingIsEmpty(error: NodeJS.ErrnoException): [] {
  missingIsNull(error);
  return [];
}
