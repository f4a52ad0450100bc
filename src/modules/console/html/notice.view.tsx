import { type ProblemException } from '../../../http/problems/problem.js';
import { type ProblemCode, PROBLEMS } from '../../../http/problems/problem-codes.js';
import { type PageFrame } from '../page-frame.js';
import { page } from './layout.js';

/** Titles and texts that replace those of the API. */
const TITLES: Readonly<Record<number, string>> = {
  403: 'You do not have access',
  404: 'Page not found',
  500: 'Something went wrong',
  503: 'Temporarily unavailable',
};
const TEXTS: Readonly<Partial<Record<ProblemCode, string>>> = {
  not_found: 'It may have been deleted, or the address may be mistyped.',
  internal_error:
    'Try again in a moment. If this happens again, send the request ID below to the operator of this service.',
  database_unavailable: 'Monitoring continues, and saved data is safe. Reload this page in a moment.',
};

/** Renders a page that reports an error. `requestId` identifies the log line. */
export function renderNotice(frame: PageFrame, problem: ProblemException, requestId: string): string {
  const status = problem.getStatus();
  return page(frame, {
    title: TITLES[status] ?? PROBLEMS[problem.code].title,
    narrow: true,
    children: (
      <>
        <p>{TEXTS[problem.code] ?? problem.detail}</p>
        <p>
          <a href="/">Back to the overview</a>
        </p>
        <p class="quiet">
          Status {status} · Request ID {requestId}
        </p>
      </>
    ),
  });
}
