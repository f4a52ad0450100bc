import { type CanaryReading } from '../../domain/network-verdict.js';
import { within } from '../../probes/deadline.js';
import { closeSocket } from '../../probes/net/connection.js';
import { type Egress } from '../../probes/net/egress.js';

/** Timeout of a probe: long enough for a lost SYN, which is resent after 1 s. */
const ANSWER_WITHIN_MS = 1_400;

/** A host and port that, according to the operator, accept TCP connections whenever our network works. */
export class Canary {
  /** Times are monotonic. */
  readonly reading: CanaryReading = { answeredAt: null, failingSince: null };
  /** When the latest answered attempt began. An attempt that began earlier and fails later is not evidence. */
  private provenAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly endpoint: { host: string; port: number },
    private readonly egress: Egress,
  ) {}

  /**
   * Opens and closes one connection. Returns whether it was accepted. Never rejects. A failure counts from `since` on.
   */
  async ask(since: number): Promise<boolean> {
    const startedAt = performance.now();
    const answered = await this.connects();
    if (answered) {
      this.provenAt = Math.max(this.provenAt, startedAt);
      this.reading.answeredAt = performance.now();
      this.reading.failingSince = null;
    } else if (startedAt >= this.provenAt) this.reading.failingSince ??= since;
    return answered;
  }

  private async connects(): Promise<boolean> {
    const { host, port } = this.endpoint;
    try {
      await within(null, ANSWER_WITHIN_MS, async (deadline) => {
        const { socket } = await this.egress.connect(await this.egress.resolve(host, deadline), port, deadline);
        closeSocket(socket);
      });
      return true;
    } catch {
      return false;
    }
  }
}
