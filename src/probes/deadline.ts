/** The deadline of a check. An `AbortSignal` would do too, but takes up to a fifth of all the CPU time of a check. */
export class Deadline {
  private readonly listeners = new Set<() => void>();
  private over = false;

  get isOver(): boolean {
    return this.over;
  }

  /** Calls the listener when the deadline is reached, but never if it already has been. */
  on(listener: () => void): void {
    this.listeners.add(listener);
  }

  off(listener: () => void): void {
    this.listeners.delete(listener);
  }

  /** Marks the deadline as reached and calls the listeners. */
  end(): void {
    this.over = true;
    for (const listener of this.listeners) listener();
    this.listeners.clear();
  }
}

/**
 * Returns the result of `work`. Its deadline is reached after `ms`, when it has settled, or with `outer`, whichever comes
 * first.
 */
export async function within<T>(
  outer: Deadline | null,
  ms: number,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const deadline = new Deadline();
  const end = (): void => deadline.end();
  const timer = setTimeout(end, ms);
  if (outer?.isOver) end();
  else outer?.on(end);
  try {
    return await work(deadline);
  } finally {
    clearTimeout(timer);
    outer?.off(end);
    end();
  }
}

/** Returns the result of `work`. Rejects with `fault` when the deadline is reached first. */
export function before<T>(deadline: Deadline, work: Promise<T>, fault: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const onDeadline = (): void => reject(fault());
    if (deadline.isOver) onDeadline();
    else deadline.on(onDeadline);
    work.then(resolve, reject).finally(() => deadline.off(onDeadline));
  });
}
