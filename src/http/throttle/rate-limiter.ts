import { type BucketStore } from './bucket-store.js';
import { type Admission, admissionsOf, type Bucket } from './token-bucket.js';

interface Waiting {
  resolve: (admission: Admission) => void;
  reject: (error: unknown) => void;
}

/**
 * Admits the requests of each key as long as its bucket has tokens. A key has at most one statement in flight: requests
 * that arrive meanwhile take their tokens together in the next one, in the order of arrival.
 */
export class RateLimiter {
  /** Waiting requests, by key with a statement in flight. */
  private readonly lines = new Map<string, Waiting[]>();
  /**
   * Until when (`performance.now()`) a key's bucket is surely empty. One entry per key, removed with its next token.
   */
  private readonly emptyUntil = new Map<string, number>();

  constructor(
    private readonly store: Pick<BucketStore, 'take'>,
    readonly bucket: Bucket,
  ) {}

  /** Returns whether a request with this key is admitted. Rejects if the database is unavailable. */
  admit(keyId: string): Promise<Admission> {
    return new Promise((resolve, reject) => {
      const line = this.lines.get(keyId);
      if (line) {
        line.push({ resolve, reject });
        return;
      }
      const opened = [{ resolve, reject }];
      this.lines.set(keyId, opened);
      void this.serve(keyId, opened);
    });
  }

  private async serve(keyId: string, line: Waiting[]): Promise<void> {
    while (line.length > 0) {
      const batch = line.splice(0);
      try {
        const admissions = await this.take(keyId, batch.length);
        for (const [at, admission] of admissions.entries()) batch[at]!.resolve(admission);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.lines.delete(keyId);
  }

  /** Until the next token, a key that exceeds its limit costs no statement: nothing refills its bucket sooner. */
  private async take(keyId: string, requests: number): Promise<Admission[]> {
    const now = performance.now();
    const waitMs = (this.emptyUntil.get(keyId) ?? 0) - now;
    if (waitMs > 0) return Array.from({ length: requests }, () => ({ admitted: false, waitMs }));
    this.emptyUntil.delete(keyId);
    const taken = await this.store.take(keyId, requests, this.bucket);
    const admissions = admissionsOf(this.bucket, requests, taken);
    const last = admissions.at(-1)!;
    // Counted from before the statement, so that no request is rejected that the bucket would admit.
    if (!last.admitted) this.emptyUntil.set(keyId, now + last.waitMs);
    return admissions;
  }
}
