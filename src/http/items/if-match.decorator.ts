import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { type EdgeRequest } from '../edge-request.js';
import { namesRevision } from './entity-tags.js';
import { ApiFurtherProblems } from '../openapi/openapi.js';
import { ProblemException } from '../problems/problem.js';

/** The precondition that the caller sets for a write. */
export interface IfMatch {
  /**
   * Throws 412 unless the resource at this revision (`null` if it does not exist) meets the precondition. Call it on
   * the resource as found, before its values are validated, and again under the lock of the write.
   */
  assert(revision: number | null): void;
}

/** For writes without a precondition. */
export const UNCONDITIONAL: IfMatch = { assert: () => undefined };

/** Returns the precondition in the headers `If-Match` and `If-None-Match`. */
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

/** Injects the `IfMatch` of a request, and documents the headers and 412. */
export const IfMatch = (): ParameterDecorator => (target, method, index) => {
  Parameter()(target, method, index);
  const descriptor = Object.getOwnPropertyDescriptor(target, method!)!;
  ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'An `ETag` from a response. Fails with 412 if its revision is no longer current. Checks do not change the revision.',
    schema: { type: 'string', examples: ['"3.81985529216486"'] },
  })(target, method!, descriptor);
  ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'Fails with 412 if the resource has the revision of this `ETag` or, with `*`, if it exists.',
    schema: { type: 'string', examples: ['*'] },
  })(target, method!, descriptor);
  ApiFurtherProblems('precondition_failed')(target, method!, descriptor);
};

function failed(): ProblemException {
  return new ProblemException(
    412,
    'precondition_failed',
    'The current revision of the resource does not satisfy If-Match or If-None-Match.',
  );
}
