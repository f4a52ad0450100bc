import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type Observable } from 'rxjs';
import { type EdgeRequest } from '../edge-request.js';
import { ProblemException } from '../problems/problem.js';

/** The form field with the token that proves that the form is from a page of this site. */
export const FORM_TOKEN_FIELD = '_token';

/**
 * Responds with 403 if `faultOfForm` of the request rejects the token of its form. Runs after the guards have been
 * consulted again: the session may have switched to another team while the form was being sent.
 */
export class FormTokenInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { form, faultOfForm } = context.switchToHttp().getRequest<EdgeRequest>();
    const fault = form && faultOfForm ? faultOfForm(form.text(FORM_TOKEN_FIELD)) : null;
    if (fault !== null) throw new ProblemException(403, 'forbidden', fault);
    return next.handle();
  }
}
