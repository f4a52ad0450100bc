import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Tx } from '../../database/tx.js';

/**
 * Keeps the answer to a request with an `Idempotency-Key`, so that a retry gets it again instead of a second effect. For
 * any other request both methods do nothing. Call them last in the transaction: until its end they hold the key's row.
 */
export interface KeepAnswer {
  /**
   * Keeps `answer` in the transaction of the write that it tells of: both are there, or neither. It is kept as given,
   * whatever is answered in the end: leave secrets out of it. Throws 409 `idempotency_in_flight`, and so rolls the write
   * back, where the request took so long that another one with its key runs in its place. May be called again when a
   * transaction is repeated.
   */
  in(tx: Tx, answer: object): Promise<void>;
  /** The same for an answer that may still become a better one: what the handler ends with takes its place. */
  promiseIn(tx: Tx, answer: object): Promise<void>;
}

/** For writes that no request with a key asked for. */
export const KEEPS_NOTHING: KeepAnswer = { in: () => Promise.resolve(), promiseIn: () => Promise.resolve() };

/** The `KeepAnswer` of a POST: its handler hands it to the service that writes. */
export const Keep = createParamDecorator(
  (_: unknown, context: ExecutionContext): KeepAnswer =>
    context.switchToHttp().getRequest<{ keep?: KeepAnswer }>().keep ?? KEEPS_NOTHING,
);
