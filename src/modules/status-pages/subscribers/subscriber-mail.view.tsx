import { oneLine } from '../../../channels/plain-text.js';
import { mailHtml, QUIET } from '../../../channels/mail/mail-html.js';
import { type Mail } from '../../../channels/mail/mailer.js';
import { type PublicationContent, type PublicationState } from '../../../domain/publication.js';
import { markdownHtml } from '../../../html/markdown.js';
import { Clock } from '../../../html/time-text.js';
import { type PageAddress } from '../page-address.js';
import { publicationTitle } from './publication-title.js';
import { mailHeaders, type SubscriberLinks } from './subscriber-links.js';

/** A publication, with the names of the affected components that the page shows. */
export interface MailedPublication {
  content: PublicationContent;
  components: readonly string[];
}

export interface UpdatesMailFacts {
  to: string;
  mailId: string;
  page: { name: string; timezone: string; address: PageAddress };
  /** Oldest first, at least one. */
  publications: readonly MailedPublication[];
  links: SubscriberLinks;
}

/** What a mail says first. */
const STATE_WORDS: Readonly<Record<PublicationState, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  postmortem: 'Postmortem',
  note: 'Update',
  detected: 'Down',
  recovered: 'Recovered',
  scheduled: 'Scheduled maintenance',
  rescheduled: 'Rescheduled maintenance',
  cancelled: 'Cancelled maintenance',
  started: 'Maintenance in progress',
  ended: 'Maintenance completed',
};

/** An entry of a mail, in words. */
interface Entry {
  heading: string;
  url: string;
  facts: string[];
  text: string | null;
}

/** Returns the mail that tells a subscriber everything that was published since the previous one. */
export function updatesMail({ to, mailId, page, publications, links }: UpdatesMailFacts): Mail {
  const entries = publications.map((one) => entryOf(one, page));
  const [first] = entries;
  const what = entries.length === 1 ? first!.heading : `${entries.length} updates`;
  const subject = oneLine(`[${page.name}] ${what}`);
  return {
    to: [to],
    subject,
    text: textOf(page.name, entries, links),
    html: mailHtml(subject, <Body pageName={page.name} pageUrl={page.address.url()} entries={entries} links={links} />),
    messageId: mailId,
    threadId: null,
    headers: mailHeaders(links),
  };
}

function entryOf({ content, components }: MailedPublication, { timezone, address }: UpdatesMailFacts['page']): Entry {
  const { kind, subjectId, state, text, at, startsAt, endsAt } = content;
  const atMs = Date.parse(at);
  const clock = new Clock(timezone, atMs);
  const time = (moment: string): string => clock.full(Date.parse(moment));
  const period =
    startsAt === null || endsAt === null || state === 'ended' ? [] : [`${time(startsAt)} – ${time(endsAt)}`];
  const affects = components.length === 0 ? [] : [`Affects ${components.join(', ')}.`];
  return {
    heading: `${STATE_WORDS[state]}: ${publicationTitle(content, components)}`,
    url: address.url(kind === 'incident' ? address.incident(subjectId) : undefined),
    facts: [...(period.length > 0 ? period : [time(at)]), ...affects].map(oneLine),
    text,
  };
}

function textOf(pageName: string, entries: readonly Entry[], links: SubscriberLinks): string {
  const parts = entries.map(({ heading, url, facts, text }) =>
    [oneLine(heading), ...facts, ...(text === null ? [] : ['', text]), '', url].join('\n'),
  );
  const foot = [
    `You are receiving this email because you subscribed to ${oneLine(pageName)}.`,
    `Choose components: ${links.preferences}`,
    `Unsubscribe: ${links.unsubscribe}`,
  ];
  return `${[...parts, foot.join('\n')].join('\n\n')}\n`;
}

interface BodyProps {
  pageName: string;
  pageUrl: string;
  entries: readonly Entry[];
  links: SubscriberLinks;
}

function Body({ pageName, pageUrl, entries, links }: BodyProps) {
  return (
    <div style="max-width: 640px; overflow-wrap: break-word;">
      <p style={QUIET}>
        <a href={pageUrl}>{pageName}</a>
      </p>
      {entries.map(({ heading, url, facts, text }) => (
        <div style="margin: 0 0 24px; border-left: 4px solid #d0d7de; padding-left: 16px;">
          <h1 style="font-size: 18px; margin: 0 0 8px;">
            <a href={url}>{heading}</a>
          </h1>
          {facts.map((fact) => (
            <p style={QUIET}>{fact}</p>
          ))}
          {text !== null && <div dangerouslySetInnerHTML={{ __html: markdownHtml(text) }} />}
        </div>
      ))}
      <p style={QUIET}>
        You are receiving this email because you subscribed to {pageName}.{' '}
        <a href={links.preferences}>Choose components</a> · <a href={links.unsubscribe}>Unsubscribe</a>
      </p>
    </div>
  );
}
