import { createHmac, timingSafeEqual } from 'node:crypto';
import { type FieldError, ProblemException } from '../problems/problem.js';
import { type TeamId } from '../auth/principal.js';

export type CursorValue = string | number | boolean | null;
/** Filters and sort of a list by parameter name. The value of a repeatable parameter is an array. */
export type ListParameters = Record<string, CursorValue | readonly CursorValue[] | undefined>;

/** Where a list continues. */
export interface Cursor<P extends ListParameters = ListParameters> {
  /** The filters and the sort of the request for the first page. */
  params: P;
  /** The sort key of the last row returned, with the tie-breaking id last. */
  after: CursorValue[];
}

/** What a cursor is valid for: one team and one list, for example `checks/<monitor id>`. */
export interface CursorScope {
  teamId: TeamId;
  list: string;
}

const MAX_LENGTH = 8_192;

/** Creates and opens cursors. Anyone can decode them, but only the holder of `key` can create them. */
export class CursorCodec {
  constructor(private readonly key: Uint8Array) {}

  seal(scope: CursorScope, cursor: Cursor): string {
    const payload = Buffer.from(JSON.stringify([cursor.params, cursor.after])).toString('base64url');
    return `${payload}.${this.sign(scope, payload)}`;
  }

  /**
   * Opens a cursor. `given` contains the filters and the sort of this request, undefined if absent: those that are sent
   * again must be the same, except for the order of repeated values. Throws 400 `invalid_cursor` otherwise, and for a
   * token that was modified or belongs to another team or list.
   */
  open<P extends ListParameters>(scope: CursorScope, token: string, given: P): Cursor<P> {
    const [payload = '', signature = '', ...more] = token.length > MAX_LENGTH ? [] : token.split('.');
    const expected = Buffer.from(this.sign(scope, payload));
    const actual = Buffer.from(signature);
    if (more.length > 0 || actual.length !== expected.length || !timingSafeEqual(actual, expected))
      throw invalidCursor();
    const parsed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [P, CursorValue[]];
    const [params, after] = parsed;
    const differing = Object.keys(given).filter(
      (name) => given[name] !== undefined && canonical(given[name]) !== canonical(params[name]),
    );
    if (differing.length > 0) throw invalidCursor(differing);
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

/** Without `differing`, the cursor itself is invalid; otherwise, these parameters are not those of its list. */
export function invalidCursor(differing: string[] = []): ProblemException {
  if (differing.length === 0) {
    const detail = 'The cursor is invalid, or belongs to another list or team.';
    const errors: FieldError[] = [{ parameter: 'cursor', code: 'invalid_value', detail }];
    return new ProblemException(400, 'invalid_cursor', detail, { errors });
  }
  const detail = 'Filters and sort must be the same as for the first page. They can be omitted.';
  const errors = differing.map((parameter): FieldError => ({ parameter, code: 'differs_from_cursor', detail }));
  return new ProblemException(400, 'invalid_cursor', detail, { errors });
}
