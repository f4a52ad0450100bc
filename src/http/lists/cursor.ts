import { createHmac, timingSafeEqual } from 'node:crypto';
import { type FieldError, ProblemException } from '../problems/problem.js';
import { type TeamId } from '../auth/principal.js';

export type CursorValue = string | number | boolean | null;
/** Filters and sort of a list by parameter name; a repeatable parameter is an array. */
export type ListParameters = Record<string, CursorValue | readonly CursorValue[] | undefined>;

/** Where a list goes on. */
export interface Cursor<P extends ListParameters = ListParameters> {
  /** The filters and the sort that the first page was asked with. */
  params: P;
  /** The sort key of the last row shown, the tie-breaking id last. */
  after: CursorValue[];
}

/** What a cursor is good for: one team, and one list, named for instance `checks/<monitor id>`. */
export interface CursorScope {
  teamId: TeamId;
  list: string;
}

const MAX_LENGTH = 8_192;

/** Makes and opens opaque cursors: readable to anyone, but forged by nobody without `key`. */
export class CursorCodec {
  constructor(private readonly key: Uint8Array) {}

  seal(scope: CursorScope, cursor: Cursor): string {
    const payload = Buffer.from(JSON.stringify([cursor.params, cursor.after])).toString('base64url');
    return `${payload}.${this.sign(scope, payload)}`;
  }

  /**
   * The cursor that `token` stands for. `given` are the filters and the sort of this request, absent ones undefined:
   * those that are sent again must be the same; the order of a repeated parameter does not matter. Throws 400
   * `invalid_cursor` otherwise, and for a token that was changed or made for another team or list.
   */
  open<P extends ListParameters>(scope: CursorScope, token: string, given: P): Cursor<P> {
    const [payload = '', signature = '', ...more] = token.length > MAX_LENGTH ? [] : token.split('.');
    const expected = Buffer.from(this.sign(scope, payload));
    const actual = Buffer.from(signature);
    if (more.length > 0 || actual.length !== expected.length || !timingSafeEqual(actual, expected)) throw invalid();
    const parsed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [P, CursorValue[]];
    const [params, after] = parsed;
    const differing = Object.keys(given).filter(
      (name) => given[name] !== undefined && canonical(given[name]) !== canonical(params[name]),
    );
    if (differing.length > 0) throw invalid(differing);
    return { params, after };
  }

  private sign({ teamId, list }: CursorScope, payload: string): string {
    const message = JSON.stringify(['cursor/1', teamId, list, payload]);
    return createHmac('sha256', this.key).update(message).digest('base64url');
  }
}

function canonical(value: unknown): string {
  return JSON.stringify(Array.isArray(value) ? (value as unknown[]).map(canonical).sort() : (value ?? null));
}

function invalid(differing: string[] = []): ProblemException {
  if (differing.length === 0) {
    const detail = 'The cursor was not made by this list for this team.';
    const errors: FieldError[] = [{ parameter: 'cursor', code: 'invalid_value', detail }];
    return new ProblemException(400, 'invalid_cursor', detail, { errors });
  }
  const detail = 'Filters and sort must stay those of the first page; they need not be sent again.';
  const errors = differing.map((parameter): FieldError => ({ parameter, code: 'differs_from_cursor', detail }));
  return new ProblemException(400, 'invalid_cursor', detail, { errors });
}
