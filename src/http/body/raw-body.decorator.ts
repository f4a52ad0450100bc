import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type EdgeRequest } from '../edge-request.js';

/** The parsed body as it came, of a route that documents none. */
export const RawBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown => context.switchToHttp().getRequest<EdgeRequest>().body,
);
