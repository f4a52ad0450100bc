import { type Contract } from '../support/openapi.js';
import { type ApiDocument } from './document.js';
import { type Reading } from './reading.js';
import { type Span, type World } from './world.js';

/** An answer that the contract allows; `codes`: of the problem, any where absent. */
export interface Outcome {
  status: number;
  codes?: readonly string[];
}

/**
 * What one step of the contract makes of a request: it passes; it is refused; or either, where the model cannot tell, with
 * the refusals that are possible.
 */
export type Verdict = { is: 'passes' } | { is: 'refused' | 'either'; outcomes: readonly Outcome[] };

export const PASSES: Verdict = { is: 'passes' };

export const refused = (status: number, ...codes: string[]): Verdict => ({
  is: 'refused',
  outcomes: [{ status, ...(codes.length > 0 && { codes }) }],
});

export const maybe = (...outcomes: Outcome[]): Verdict => ({ is: 'either', outcomes });

/** All that one request is judged by. */
export interface Setting {
  document: ApiDocument;
  contract: Contract;
  world: World;
  reading: Reading;
  number: number;
  /** When the request was sent, and when its answer was there. Epoch milliseconds. */
  span: Span;
}
