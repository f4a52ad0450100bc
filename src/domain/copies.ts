/** What a copy takes of the memory, at present: it may grow while it is kept. */
export interface Sized {
  readonly bytes: number;
}

export interface CopiesOptions {
  /** For so long a copy is as good as new. */
  freshMs: number;
  /** An older one, up to this age, is shown while its successor is made; who asks for one older still waits. */
  usableMs: number;
  /** Of all copies together; the one that was asked for last stays, whatever its size. */
  maxBytes: number;
  /** Milliseconds of a clock that never steps. */
  now: () => number;
}

/** Which copy will do. */
export interface Wanted {
  /** Names what can be written by others: a copy of another version is of the past. */
  version: string;
  /** When that version was asked for, on the clock of the copies. */
  askedAtMs: number;
}

interface Copy<T> extends Wanted {
  value: T;
  madeAtMs: number;
}

interface Making<T> extends Wanted {
  copy: Promise<T>;
}

/**
 * The last good copy of each of many things that are costly to make. One copy of a thing is made at a time, and only
 * when somebody asks. Who asks sees everything that was written before.
 */
export class Copies<T extends Sized> {
  /** The one that was asked for longest ago first. */
  private readonly copies = new Map<string, Copy<T>>();
  private readonly makings = new Map<string, Making<T>>();

  constructor(private readonly options: CopiesOptions) {}

  /** @param make throws where it fails: the copy that is there stays */
  async get(key: string, wanted: Wanted, make: () => Promise<T>): Promise<T> {
    for (;;) {
      const copy = this.copies.get(key);
      if (copy && serves(copy, wanted)) {
        this.touch(key, copy);
        const ageMs = this.options.now() - copy.madeAtMs;
        if (ageMs < this.options.freshMs) return copy.value;
        if (ageMs < this.options.usableMs) {
          // Who asks next finds out whether it failed.
          if (!this.makings.has(key)) this.begin(key, wanted, make).catch(() => undefined);
          return copy.value;
        }
      }
      const making = this.makings.get(key);
      if (!making) return this.begin(key, wanted, make);
      if (serves(making, wanted)) return making.copy;
      await making.copy.catch(() => undefined);
    }
  }

  /** The copy that is there, whatever its age and version. */
  last(key: string): T | null {
    const copy = this.copies.get(key);
    if (copy) this.touch(key, copy);
    return copy?.value ?? null;
  }

  /** Also of what is being made now, which goes to those alone who wait for it. */
  forget(key: string): void {
    this.copies.delete(key);
    this.makings.delete(key);
  }

  /** Lets copies go until the others fit. To be called when one has grown. */
  trim(): void {
    let bytes = 0;
    for (const { value } of this.copies.values()) bytes += value.bytes;
    for (const [key, { value }] of this.copies) {
      if (bytes <= this.options.maxBytes || this.copies.size === 1) return;
      this.copies.delete(key);
      bytes -= value.bytes;
    }
  }

  private begin(key: string, wanted: Wanted, make: () => Promise<T>): Promise<T> {
    const making: Making<T> = { ...wanted, copy: make() };
    this.makings.set(key, making);
    return making.copy
      .then((value) => {
        if (this.makings.get(key) === making) {
          this.touch(key, { ...wanted, value, madeAtMs: this.options.now() });
          this.trim();
        }
        return value;
      })
      .finally(() => {
        if (this.makings.get(key) === making) this.makings.delete(key);
      });
  }

  private touch(key: string, copy: Copy<T>): void {
    this.copies.delete(key);
    this.copies.set(key, copy);
  }
}

/** Also one whose version was asked for later: it holds all that was written before. */
function serves(copy: Wanted, { version, askedAtMs }: Wanted): boolean {
  return copy.version === version || copy.askedAtMs >= askedAtMs;
}
