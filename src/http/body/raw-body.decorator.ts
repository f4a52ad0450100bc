import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type EdgeRequest } from '../edge-request.js';

/** The parsed body as it was sent, for routes that document no body. */
export const RawBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown => context.switchToHttp().getRequest<EdgeRequest>().body,
);
