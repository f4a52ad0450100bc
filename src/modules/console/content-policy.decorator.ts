import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Response } from 'express';

/** Injects the content security policy of the service, for pages that extend it. */
export const ContentPolicy = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined =>
  context.switchToHttp().getResponse<Response>().get('Content-Security-Policy'),
);
