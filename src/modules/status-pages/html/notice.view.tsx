import { document } from './layout.js';

/** Texts of error pages, by HTTP status. */
const NOTICES: Readonly<Record<number, { heading: string; text: string }>> = {
  401: {
    heading: 'This page is protected',
    text: 'Enter the password; any username works. Reload the page to try again.',
  },
  404: {
    heading: 'Status page not found',
    text: 'The address may be mistyped, or the page is not published. Please check with the person who gave it to you.',
  },
  429: {
    heading: 'Too many wrong passwords',
    text: 'Please wait a few minutes, then try again.',
  },
  503: {
    heading: 'This page cannot be shown right now',
    text: 'This does not mean that the services it reports on are affected. Please try again in a moment.',
  },
};
const OTHER = { heading: 'Something went wrong', text: 'The failure is on our side. Please try again in a moment.' };

/** Renders an error page. `requestId` identifies the log line. */
export function renderNotice(status: number, requestId: string): string {
  const { heading, text } = NOTICES[status] ?? OTHER;
  return document({
    title: heading,
    icon: 'unknown',
    theme: 'auto',
    children: (
      <main class="page notice">
        <h1>{heading}</h1>
        <p>{text}</p>
        <p class="quiet">
          Status {status}. Request {requestId}.
        </p>
      </main>
    ),
  });
}
