import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../database/embedded/postmaster-file.js';
import { type CheckKey } from '../monitors/schedule/check-plan.types.js';
import { type CheckResult } from './check-queue.js';
import { decodeLines, encodeLines, wholeLines } from './spool-lines.js';

/** A segment that has grown to this is followed by another. A crash repeats what was replayed of one, which is harmless. */
const SEGMENT_BYTES = 1_048_576;
/** `<time of its making>-<random>-<process>-<owner>.spool`: by name they are in the order in which they were written. */
const SEGMENT = /^(\d{13}-[\da-f]{8})-(\d+)-([\da-f]{8})\.spool$/;

interface Segment {
  path: string;
  results: number;
  bytes: number;
}

/** What earlier processes left in the spool. */
export interface Leftover {
  results: number;
  /** In lines that were torn by a crash, or damaged. */
  damagedBytes: number;
  /** Checks off the slots among them. */
  promised: CheckKey[];
  /** When the newest of them began, in epoch milliseconds; `null` where there are none. */
  newestCheckedAt: number | null;
}

/** The spool has reached the size that it may have. */
export class SpoolFullError extends Error {
  override readonly name = 'SpoolFullError';
}

/**
 * Results on the local disk, for as long as the database does not take them: first in, first out, and what was appended
 * outlives this process. Segments are files that are written by one process, read once they are sealed, and deleted when
 * all in them is recorded.
 *
 * Processes may share the folder. One takes over what a dead one has left by giving it a name of its own; who appends
 * looks, once all is on disk, whether the file still has its name. So a segment that was taken from a process that lives
 * after all loses nothing: that one appends again, elsewhere.
 */
export class Spool {
  private readonly owner = `${process.pid}-${randomBytes(4).toString('hex')}`;
  private segments: Segment[] = [];
  /** The last segment while it is appended to. */
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

  /** Takes over what processes have left that are gone. */
  recover(): Promise<Leftover> {
    return this.inTurn(async () => {
      const leftover: Leftover = { results: 0, damagedBytes: 0, promised: [], newestCheckedAt: null };
      for (const name of (await readdir(this.folder).catch(missingIsEmpty)).sort()) {
        const path = await this.claim(name);
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
        // Nearly no check is off the slots, so that nearly nothing is parsed here.
        const promised = texts.filter((text) => text.includes('"attempt":-'));
        leftover.promised.push(...promised.map((text) => JSON.parse(text) as CheckResult));
        const { checkedAt } = JSON.parse(texts.at(-1)!) as CheckResult;
        leftover.newestCheckedAt = Math.max(checkedAt, leftover.newestCheckedAt ?? 0);
      }
      return leftover;
    });
  }

  /**
   * Appends results: all of them are on the disk when this resolves. Rejects with the fault of the disk, or
   * {@link SpoolFullError}: then they are still the caller's.
   */
  append(results: readonly CheckResult[]): Promise<void> {
    return this.inTurn(async () => {
      const lines = encodeLines(results);
      if (this.figures.bytes + lines.length > this.maxBytes) throw new SpoolFullError('The spool is full.');
      while (!(await this.write(lines, results.length)));
      if (this.segments.at(-1)!.bytes >= SEGMENT_BYTES) await this.seal();
    });
  }

  /** The oldest results, a segment of them, never empty; `null` where there are none. They stay until {@link removeOldest}. */
  oldest(): Promise<CheckResult[] | null> {
    return this.inTurn(async () => {
      for (let first = this.segments[0]; first; first = this.segments[0]) {
        if (this.segments.length === 1) await this.seal();
        try {
          const results = decodeLines(await readFile(first.path));
          if (results.length === 0) throw new Error(`nothing in ${first.path} is whole`);
          return results;
        } catch (error) {
          // Somebody else has taken it over, and sees to it.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
          this.segments.shift();
        }
      }
      return null;
    });
  }

  /** Deletes what {@link oldest} gave: it is recorded. */
  removeOldest(): Promise<void> {
    return this.inTurn(async () => {
      const first = this.segments.shift();
      if (first) await rm(first.path, { force: true });
    });
  }

  /** Leaves the oldest segment on the disk, where the next start finds it: it cannot be read now. */
  setOldestAside(): Promise<void> {
    return this.inTurn(() => Promise.resolve(void this.segments.shift()));
  }

  /** Closes what is open. */
  close(): Promise<void> {
    return this.inTurn(() => this.seal());
  }

  /** Writes to the tail and waits for the disk. False where the tail has another owner by now. */
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
      // The name, too, must outlive a loss of power.
      const folder = await open(this.folder, 'r');
      await folder.sync().finally(() => folder.close());
      return handle;
    } catch (error) {
      await this.giveBack(handle, segment);
      throw error;
    }
  }

  /** After a fault of the disk: what was appended before stays, the rest is cut off where the disk lets us. */
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

  /** The path of a segment that is ours from now on; `null` where it is none, or its owner lives. */
  private async claim(name: string): Promise<string | null> {
    const [, stamp, pid] = SEGMENT.exec(name) ?? [];
    // In a container, a process that is gone may well have had our number.
    if (stamp === undefined || (Number(pid) !== process.pid && isAlive(Number(pid)))) return null;
    const path = join(this.folder, `${stamp}-${this.owner}.spool`);
    try {
      await rename(join(this.folder, name), path);
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

/** Whether the open file is the one that has this name. */
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
