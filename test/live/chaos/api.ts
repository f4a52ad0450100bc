import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';

/** Longer than any correct response takes; a suspended process does not respond at all. */
const PATIENCE_MS = 8_000;
const AGAIN_MS = 100;

export interface ApiAnswer<T> {
  status: number;
  body: T;
}

/** A caller of several processes that serve the API, any of which may be away. */
export class Api {
  /** Requests by outcome: a status, or `no response`. */
  readonly outcomes: Record<string, number> = {};
  private turn = 0;

  constructor(
    private readonly origins: () => readonly string[],
    private readonly key: string,
  ) {}

  /** Sends a request to one process after the other, always with the same idempotency key, until one acknowledges it. */
  async acknowledged<T>(method: string, path: string, body?: object): Promise<ApiAnswer<T>> {
    const headers: Record<string, string> = method === 'POST' ? { 'idempotency-key': uuidv7() } : {};
    for (;;) {
      const answer = await this.attempt<T>(method, path, body, headers);
      // 409: the process that received the first request was interrupted while it answered.
      if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429) return answer;
      await delay(AGAIN_MS);
    }
  }

  private async attempt<T>(
    method: string,
    path: string,
    body: object | undefined,
    headers: Record<string, string>,
  ): Promise<ApiAnswer<T> | null> {
    const origins = this.origins();
    const origin = origins[this.turn++ % Math.max(1, origins.length)];
    if (origin === undefined) return null;
    const patience = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    // The timer keeps the promise: those of an interrupted request may be collected as garbage without being settled.
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error('no response'));
        patience.abort();
      }, PATIENCE_MS);
    });
    const request = async (): Promise<ApiAnswer<T>> => {
      const response = await fetch(origin + path, {
        method,
        headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json', ...headers },
        signal: patience.signal,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
    };
    try {
      const answer = await Promise.race([request(), tooLate]);
      this.note(String(answer.status));
      return answer;
    } catch {
      this.note('no response');
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  private note(outcome: string): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
  }
}
