/** Memory shared by a probe thread and the main thread, which uses it to detect that the probe thread is blocked. */
export type PulseCells = Int32Array<SharedArrayBuffer>;

const BEATS = 0;
const AT_WORK = 1;

export function makePulse(): PulseCells {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Writes the heartbeat of a probe thread. */
export class Pulse {
  /** Sends the first beat, which starts the watch: the time that a thread takes to start does not count. */
  constructor(private readonly cells: PulseCells) {
    this.beat();
  }

  beat(): void {
    Atomics.add(this.cells, BEATS, 1);
  }

  /** Runs work that could take long, while the shared memory contains the number of the check that it belongs to. */
  during<T>(check: number, work: () => T): T {
    Atomics.store(this.cells, AT_WORK, check);
    try {
      return work();
    } finally {
      Atomics.store(this.cells, AT_WORK, 0);
    }
  }
}

/**
 * Returns the check whose work has not ended, as its number in 32 bits; 0 for none. The number remains after the thread
 * is terminated.
 */
export function checkAtWork(cells: PulseCells): number {
  return Atomics.load(cells, AT_WORK);
}

const WATCH_MS = 250;
/** If a look is later than this, the watching thread itself was held up, so it cannot judge the other one. */
const TOLERATED_MS = 200;
const SILENT_AFTER_MS = 2_000;

/** Judges by looks at a pulse, one every 250 ms, whether the thread that should beat is blocked. */
export class Silence {
  private beats = 0;
  private since: number;
  private expected: number;

  /** @param now the time of the first look, in milliseconds of the monotonic clock like all later ones */
  constructor(now: number) {
    this.since = now;
    this.expected = now + WATCH_MS;
  }

  /** Returns whether the thread has not beaten for 2 s during which every look was on time. */
  isTooLong(beats: number, now: number): boolean {
    if (beats === 0 || beats !== this.beats || now > this.expected + TOLERATED_MS) this.since = now;
    this.beats = beats;
    this.expected = now + WATCH_MS;
    return now - this.since >= SILENT_AFTER_MS;
  }
}

/** Watches a pulse from another thread. */
export class PulseWatch {
  private readonly silence = new Silence(performance.now());
  private readonly timer: NodeJS.Timeout;

  /** Calls `onSilent` once, when the other thread has been blocked for 2 s while this one was not. */
  constructor(
    private readonly cells: PulseCells,
    private readonly onSilent: () => void,
  ) {
    this.timer = setInterval(() => this.look(), WATCH_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    if (!this.silence.isTooLong(Atomics.load(this.cells, BEATS), performance.now())) return;
    this.stop();
    this.onSilent();
  }
}
