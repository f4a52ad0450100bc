/** When a check has to end. An `AbortSignal` would say as much, for up to a fifth of all the CPU that a check takes. */
export class Deadline {
  private readonly listeners = new Set<() => void>();
  private over = false;

  get isOver(): boolean {
    return this.over;
  }

  /** Calls the listener when the deadline comes; not where it is over. */
  on(listener: () => void): void {
    this.listeners.add(listener);
  }

  off(listener: () => void): void {
    this.listeners.delete(listener);
  }

  /** The deadline has come. */
  end(): void {
    this.over = true;
    for (const listener of this.listeners) listener();
    this.listeners.clear();
  }
}
