/** Memory that a probe thread and the main thread share: by it the main thread sees that the other one still turns. */
export type PulseCells = Int32Array<SharedArrayBuffer>;

const BEATS = 0;
const AT_WORK = 1;

export function makePulse(): PulseCells {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** In the probe thread. */
export class Pulse {
  /** Its first beat says that there is something to watch: how long a thread takes to start says nothing. */
  constructor(private readonly cells: PulseCells) {
    this.beat();
  }

  beat(): void {
    Atomics.add(this.cells, BEATS, 1);
  }

  /** Names the check on whose account the thread does what could take long. */
  during<T>(check: number, work: () => T): T {
    Atomics.store(this.cells, AT_WORK, check);
    try {
      return work();
    } finally {
      Atomics.store(this.cells, AT_WORK, 0);
    }
  }
}

/** The check whose work has not ended, as its number in 32 bits; 0 for none. A thread that is terminated leaves it there. */
export function checkAtWork(cells: PulseCells): number {
  return Atomics.load(cells, AT_WORK);
}

const WATCH_MS = 250;
/** Later than this, the watching thread was held up itself, and knows nothing of the other. */
const TOLERATED_MS = 200;
const SILENT_AFTER_MS = 2_000;

/** Watches a pulse from another thread. */
export class PulseWatch {
  private beats = 0;
  private silentSince = performance.now();
  private expected = performance.now() + WATCH_MS;
  private readonly timer: NodeJS.Timeout;

  /** `onSilent` is called once, when the other thread has not turned for 2 s in which this one did. */
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
    const now = performance.now();
    const beats = Atomics.load(this.cells, BEATS);
    if (beats === 0 || beats !== this.beats || now > this.expected + TOLERATED_MS) this.silentSince = now;
    this.beats = beats;
    this.expected = now + WATCH_MS;
    if (now - this.silentSince < SILENT_AFTER_MS) return;
    this.stop();
    this.onSilent();
  }
}
