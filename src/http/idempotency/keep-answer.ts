import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Tx } from '../../database/tx.js';

/**
 * Stores the response to a request with an `Idempotency-Key`, so that a retry returns it instead of having a second
 * effect. For other requests both methods do nothing. Call them last in the transaction, because they lock the row of
 * the key until its end.
 */
export interface KeepAnswer {
  /**
   * Stores `answer` in the transaction of the write that it reports: both are committed, or neither. It is stored as
   * given, whatever the actual response is, so leave secrets out of it. Throws 409 `idempotency_in_flight`, which rolls
   * the write back, if the request took so long that another one with its key has replaced it. May be called again if a
   * transaction is repeated.
   */
  in(tx: Tx, answer: object): Promise<void>;
  /** Like `in`, for a response that may still change: the one that the handler returns replaces it. */
  promiseIn(tx: Tx, answer: object): Promise<void>;
}

/** For writes that no request with a key caused. */
export const KEEPS_NOTHING: KeepAnswer = { in: () => Promise.resolve(), promiseIn: () => Promise.resolve() };

/** The `KeepAnswer` of a POST, which its handler passes to the service that writes. */
export const Keep = createParamDecorator(
  (_: unknown, context: ExecutionContext): KeepAnswer =>
    context.switchToHttp().getRequest<{ keep?: KeepAnswer }>().keep ?? KEEPS_NOTHING,
);
