import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type Reflector } from '@nestjs/core';
import { type Observable } from 'rxjs';
import { takesForm } from '../auth/access.decorators.js';
import { readBytes } from './body-reader.js';
import { type EdgeRequest } from '../edge-request.js';
import { FormFields } from './form-fields.js';
import { ProblemException } from '../problems/problem.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';
/** The default limit of an API body: a status page with all its components is a single form. */
const MAX_FORM_BYTES = 256 * 1024;

/** Reads the forms of the web application and of public pages after all guards, without checking their tokens. */
export class FormInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<EdgeRequest>();
    const hasForm = request.method === 'POST' && takesForm(this.reflector, context);
    return hasForm ? this.read(request, next) : next.handle();
  }

  private async read(request: EdgeRequest, next: CallHandler): Promise<Observable<unknown>> {
    request.form = await readForm(request);
    return next.handle();
  }
}

async function readForm(request: EdgeRequest): Promise<FormFields> {
  const bytes = await readBytes(request, MAX_FORM_BYTES, () => {
    const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
    if (type.trim() === FORM_TYPE) return;
    throw new ProblemException(415, 'unsupported_media_type', `Send the form as ${FORM_TYPE} in UTF-8.`);
  });
  return new FormFields(new URLSearchParams(bytes.toString('utf8')));
}
