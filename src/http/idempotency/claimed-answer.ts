import { type ServerResponse } from 'node:http';
import { type Tx } from '../../database/tx.js';
import { answerHeaders, bodyOf } from '../items/representation.js';
import { type Claim, type IdempotencyService, type KeptAnswer } from './idempotency.service.js';
import { type KeepAnswer } from './keep-answer.js';

const KEPT_HEADERS = ['Location', 'ETag'];

/** Stores the response of the request that holds the claim. */
export class ClaimedAnswer implements KeepAnswer {
  private state: 'nothing kept' | 'promise kept' | 'final' = 'nothing kept';

  constructor(
    private readonly store: IdempotencyService,
    private readonly claim: Claim,
    private readonly handler: object,
    private readonly response: ServerResponse,
  ) {}

  async in(tx: Tx, answer: object): Promise<void> {
    await this.keepIn(tx, answer);
    this.state = 'final';
  }

  async promiseIn(tx: Tx, answer: object): Promise<void> {
    await this.keepIn(tx, answer);
    this.state = 'promise kept';
  }

  /** Called with the body that the handler returned, before it is sent. Stores only the response of a success. */
  async end(body: unknown): Promise<void> {
    if (this.state === 'final') return;
    const { statusCode } = this.response;
    const isSuccess = statusCode >= 200 && statusCode <= 299;
    // A response with `no-store` contains a secret, which only the service can leave out.
    const mayBeStored = this.response.getHeader('Cache-Control') !== 'no-store';
    if (isSuccess && mayBeStored) await this.store.keep(this.claim, { statusCode, headers: this.sentHeaders(), body });
    else await this.store.release(this.claim);
  }

  private keepIn(tx: Tx, answer: object): Promise<void> {
    const { statusCode } = this.response;
    const headers = answerHeaders(this.handler, statusCode, answer);
    return this.store.keepIn(tx, this.claim, { statusCode, headers, body: bodyOf(answer) });
  }

  private sentHeaders(): KeptAnswer['headers'] {
    const sent = KEPT_HEADERS.map((name) => [name, this.response.getHeader(name)] as const);
    return Object.fromEntries(sent.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
  }
}
