import { randomUUID } from 'node:crypto';
import { oneLine } from '../plain-text.js';
import { mailHtml, QUIET } from './mail-html.js';
import { type Mail } from './mailer.js';

/** A mail to one person about their access, with at most one link to follow. */
export interface Letter {
  to: string;
  subject: string;
  /** Sentences before the link; each is a paragraph. */
  paragraphs: readonly string[];
  link: { label: string; url: string } | null;
  /** What to know about the link, or what to do if the mail is unexpected; each is a paragraph. */
  notes: readonly string[];
}

/** Returns the mail for a letter, as text and HTML. Texts of people appear literally, each on one line. */
export function letterMail({ to, subject, paragraphs, link, notes }: Letter): Mail {
  const letter = { subject: oneLine(subject), paragraphs: paragraphs.map(oneLine), link, notes: notes.map(oneLine) };
  const linked = link ? [`${link.label}: ${link.url}`] : [];
  return {
    to: [to],
    subject: letter.subject,
    text: `${[...letter.paragraphs, ...linked, ...letter.notes].join('\n\n')}\n`,
    html: mailHtml(letter.subject, <LetterBody {...letter} />),
    messageId: randomUUID(),
    threadId: null,
    // Keeps absence notices from being sent in reply (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

const BUTTON =
  'display: inline-block; padding: 10px 18px; border-radius: 6px; background: #4f46e5; color: #ffffff; text-decoration: none; font-weight: 600;';

function LetterBody({ paragraphs, link, notes }: Omit<Letter, 'to' | 'subject'>) {
  return (
    <div style="max-width: 560px; overflow-wrap: break-word;">
      {paragraphs.map((paragraph) => (
        <p style="margin: 0 0 16px;">{paragraph}</p>
      ))}
      {link && (
        <>
          <p style="margin: 0 0 16px;">
            <a href={link.url} style={BUTTON}>
              {link.label}
            </a>
          </p>
          <p style="margin: 0 0 16px; font-size: 13px;">
            If the button does not work, open this address: <br />
            <a href={link.url} style="word-break: break-all;">
              {link.url}
            </a>
          </p>
        </>
      )}
      {notes.map((note) => (
        <p style={QUIET}>{note}</p>
      ))}
    </div>
  );
}
