import { type CheckKey, textOfKey } from '../monitors/schedule/check-plan.types.js';

/** A requested check that is still open after this long was lost, unless it waits in a queue, and is sent again. */
export const RESEND_AFTER_MS = 180_000;

/** The requested checks that a process has sent, so that each is sent once. Times are epoch milliseconds. */
export class SentRequests {
  private readonly sent = new Map<string, { monitorId: string; at: number }>();

  get size(): number {
    return this.sent.size;
  }

  /**
   * Returns which of the open requests have to be sent, and forgets those that are not open any more.
   * @param delayAt how long checks at a location wait before they run: for so much longer they are not lost
   */
  due<Request extends CheckKey>(
    open: readonly Request[],
    nowMs: number,
    delayAt: (location: string) => number,
  ): Request[] {
    const keys = new Set(open.map(textOfKey));
    for (const key of this.sent.keys()) if (!keys.has(key)) this.sent.delete(key);
    return open.filter((one) => {
      const known = this.sent.get(textOfKey(one));
      return !known || nowMs - known.at > RESEND_AFTER_MS + delayAt(one.location);
    });
  }

  note(requests: readonly CheckKey[], nowMs: number): void {
    for (const one of requests) this.sent.set(textOfKey(one), { monitorId: one.monitorId, at: nowMs });
  }

  /** Forgets checks that could not be sent. */
  forget(requests: readonly CheckKey[]): void {
    for (const one of requests) this.sent.delete(textOfKey(one));
  }

  /** Forgets the requests of monitors that another process dispatches. */
  forgetMonitors(which: (monitorId: string) => boolean): void {
    for (const [key, { monitorId }] of this.sent) if (which(monitorId)) this.sent.delete(key);
  }
}
