import { type Contract } from '../support/openapi.js';
import { type ApiDocument } from './document.js';
import { type Reading } from './reading.js';
import { type Span, type World } from './world.js';

/** A response that the contract allows; `codes`: the possible problem codes, any if absent. */
export interface Outcome {
  status: number;
  codes?: readonly string[];
}

/**
 * The verdict of one step of the contract: the request passes, is refused, or either if the model cannot know, with the
 * possible refusals.
 */
export type Verdict = { is: 'passes' } | { is: 'refused' | 'either'; outcomes: readonly Outcome[] };

export const PASSES: Verdict = { is: 'passes' };

export const refused = (status: number, ...codes: string[]): Verdict => ({
  is: 'refused',
  outcomes: [{ status, ...(codes.length > 0 && { codes }) }],
});

export const maybe = (...outcomes: Outcome[]): Verdict => ({ is: 'either', outcomes });

/** All information by which one request is judged. */
export interface Setting {
  document: ApiDocument;
  contract: Contract;
  world: World;
  reading: Reading;
  number: number;
  /** When the request was sent and when its response arrived. Epoch milliseconds. */
  span: Span;
}
