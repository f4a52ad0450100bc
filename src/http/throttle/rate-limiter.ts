import { type BucketStore } from './bucket-store.js';
import { type Admission, admissionsOf, type Bucket } from './token-bucket.js';

interface Waiting {
  resolve: (admission: Admission) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets the requests of each key through as long as its bucket has tokens. A key has one statement in flight at most:
 * requests that come meanwhile take their tokens together in the next one, in the order in which they came.
 */
export class RateLimiter {
  /** Requests that wait, of the keys that have a statement in flight. */
  private readonly lines = new Map<string, Waiting[]>();
  /** Until when (`performance.now()`) a key's bucket surely is empty. An entry a key at most, gone with its next token. */
  private readonly emptyUntil = new Map<string, number>();

  constructor(
    private readonly store: Pick<BucketStore, 'take'>,
    readonly bucket: Bucket,
  ) {}

  /** Whether a request of this key is let in. Rejects where the database cannot tell. */
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

  /** Nobody refills a bucket sooner: until its next token, a key that goes on and on costs no statement. */
  private async take(keyId: string, requests: number): Promise<Admission[]> {
    const now = performance.now();
    const waitMs = (this.emptyUntil.get(keyId) ?? 0) - now;
    if (waitMs > 0) return Array.from({ length: requests }, () => ({ admitted: false, waitMs }));
    this.emptyUntil.delete(keyId);
    const taken = await this.store.take(keyId, requests, this.bucket);
    const admissions = admissionsOf(this.bucket, requests, taken);
    const last = admissions.at(-1)!;
    // Counted from before the statement, so that no request is refused that the bucket would let in.
    if (!last.admitted) this.emptyUntil.set(keyId, now + last.waitMs);
    return admissions;
  }
}
