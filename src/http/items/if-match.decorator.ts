import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { type EdgeRequest } from '../edge-request.js';
import { namesRevision } from './entity-tags.js';
import { ApiFurtherProblems } from '../openapi/openapi.js';
import { ProblemException } from '../problems/problem.js';

/** What the caller demands of the resource that a write meets. */
export interface IfMatch {
  /**
   * Throws 412 unless the resource at this revision (`null`: there is none) is what the caller demands. Call it on the
   * resource as found, before its values are judged, and again under the lock of the write.
   */
  assert(revision: number | null): void;
}

/** For writes on whose behalf nobody demands anything. */
export const UNCONDITIONAL: IfMatch = { assert: () => undefined };

/** The demand in the headers `If-Match` and `If-None-Match`. */
export function ifMatchOf(headers: { 'if-match'?: string; 'if-none-match'?: string }): IfMatch {
  const { 'if-match': wanted, 'if-none-match': unwanted } = headers;
  return {
    assert(revision) {
      if (wanted !== undefined && !namesRevision(wanted, revision)) throw failed();
      if (unwanted !== undefined && namesRevision(unwanted, revision)) throw failed();
    },
  };
}

const Parameter = createParamDecorator((_: unknown, context: ExecutionContext) =>
  ifMatchOf(context.switchToHttp().getRequest<EdgeRequest>().headers),
);

/** The `IfMatch` of a request; documents the headers and 412. */
export const IfMatch = (): ParameterDecorator => (target, method, index) => {
  Parameter()(target, method, index);
  const descriptor = Object.getOwnPropertyDescriptor(target, method!)!;
  ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'An `ETag` as answered. 412 where the revision in it is no longer the stored one; checks do not raise it.',
    schema: { type: 'string', examples: ['"3.81985529216486"'] },
  })(target, method!, descriptor);
  ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'What the resource must not be: an `ETag`, or `*` for a write that may only make one. Else 412.',
    schema: { type: 'string', examples: ['*'] },
  })(target, method!, descriptor);
  ApiFurtherProblems('precondition_failed')(target, method!, descriptor);
};

function failed(): ProblemException {
  return new ProblemException(
    412,
    'precondition_failed',
    'The resource is not at the revision that the request names.',
  );
}
