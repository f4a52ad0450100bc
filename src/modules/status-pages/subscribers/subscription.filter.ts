import { Catch } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { ProblemFilter } from '../../../http/problems/problem.filter.js';
import { renderNotice } from '../html/notice.view.js';

/** Renders errors of the form as HTML for clients that accept it, and as problems for others. */
@Catch()
export class SubscriptionFilter extends ProblemFilter {
  constructor(config: AppConfig) {
    super(config.get('PUBLIC_URL') ?? undefined, (request, exception) => {
      if (!(request.headers.accept?.includes('text/html') ?? false)) return null;
      const text = exception.errors?.[0]?.detail ?? exception.detail;
      return { html: renderNotice(exception.getStatus(), request.requestId ?? '', text), headers: {} };
    });
  }
}
