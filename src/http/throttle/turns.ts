/** Thrown if an owner, or all owners together, have more work waiting than allowed. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
}

/** How much work may wait, including the running work: per owner and in total. */
export interface TurnLimits {
  ofOwner: number;
  ofAll: number;
}

/** Runs slow work one at a time, because it is slow by design and shares its threads with the rest of the service. */
export class Turns {
  private readonly waiting = new Map<string, number>();
  private all = 0;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly limits: TurnLimits) {}

  /** Runs the work after the work before it. @throws TooManyWaiting */
  take<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const own = this.waiting.get(owner) ?? 0;
    if (own >= this.limits.ofOwner || this.all >= this.limits.ofAll) throw new TooManyWaiting();
    this.waiting.set(owner, own + 1);
    this.all += 1;
    const outcome = this.queue.then(work);
    const leave = (): void => {
      this.all -= 1;
      const left = this.waiting.get(owner)! - 1;
      if (left === 0) this.waiting.delete(owner);
      else this.waiting.set(owner, left);
    };
    this.queue = outcome.then(leave, leave);
    return outcome;
  }
}
