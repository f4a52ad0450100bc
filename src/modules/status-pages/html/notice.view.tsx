import { document } from './layout.js';

/** Texts of error pages that say more than the problem, by HTTP status. */
const NOTICES: Readonly<Record<number, { heading: string; text: string }>> = {
  401: {
    heading: 'This page is password-protected',
    text: 'Reload the page, then enter the password. Any username works.',
  },
  404: {
    heading: 'Status page not found',
    text: 'The address may be mistyped, or the page is not published. Check the link with the person who shared it.',
  },
  503: {
    heading: 'This page is temporarily unavailable',
    text: 'The services that it reports on are not necessarily affected. Try again in a moment.',
  },
};
const OTHER = { heading: 'Something went wrong', text: 'The problem is on our side. Try again in a moment.' };

/**
 * Renders an error page. `requestId` identifies the log line.
 *
 * @param detail what is wrong with the request
 */
export function renderNotice(status: number, requestId: string, detail: string): string {
  const { heading, text } = NOTICES[status] ?? (status >= 500 ? OTHER : { heading: 'Request refused', text: detail });
  return document({
    title: heading,
    icon: 'unknown',
    theme: 'auto',
    children: (
      <main class="page notice">
        <h1>{heading}</h1>
        <p>{text}</p>
        <p class="quiet">
          Status {status} · Request ID {requestId}
        </p>
      </main>
    ),
  });
}

/** Renders the page that takes the place of a preview if its settings are invalid. */
export function renderPreviewFaults(details: readonly string[]): string {
  return document({
    title: 'No preview',
    icon: 'unknown',
    theme: 'auto',
    children: (
      <main class="page notice">
        <h1>No preview</h1>
        <p>Fix the following:</p>
        <ul>
          {details.map((detail) => (
            <li key={detail} dir="auto">
              {detail}
            </li>
          ))}
        </ul>
      </main>
    ),
  });
}
