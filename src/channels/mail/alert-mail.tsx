import { COLOURS } from '../chat/markup.js';
import { type Message } from '../message.js';
import { type Outline, outlineOf, plainLines } from '../outline.js';
import { mailHtml } from './mail-html.js';
import { type Mail } from './mailer.js';

/**
 * Returns the mail for a message. The mails of an alert refer to a first one that is never sent: clients thread by the
 * id that mails have in common, and any of them may be the first that a recipient gets.
 */
export function alertMail(message: Message, to: readonly string[]): Mail {
  const outline = outlineOf(message);
  const isUrgent = outline.tone === 'bad';
  return {
    to,
    subject: outline.title,
    text: `${[outline.title, '', ...plainLines(outline)].join('\n')}\n`,
    html: mailHtml(outline.title, <MailBody outline={outline} />),
    messageId: message.id,
    threadId: message.alertKey,
    headers: {
      // Keeps absence notices from being sent in reply (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(isUrgent && { Importance: 'high' }),
    },
  };
}

function MailBody({ outline }: { outline: Outline }) {
  const { title, tone, sentences, rows, monitors, links } = outline;
  return (
    <div style={`border-left: 4px solid ${COLOURS[tone]}; padding-left: 16px; max-width: 640px;`}>
      <h1 style="font-size: 18px; margin: 0 0 12px;">{title}</h1>
      {sentences.map((sentence) => (
        <p style="margin: 0 0 12px;">{sentence}</p>
      ))}
      {rows.length > 0 && (
        <table style="border-collapse: collapse; margin: 0 0 12px;">
          {rows.map(({ label, value }) => (
            <tr>
              <th style="text-align: left; vertical-align: top; padding: 2px 16px 2px 0; font-weight: 600;">{label}</th>
              <td style="padding: 2px 0;">{value}</td>
            </tr>
          ))}
        </table>
      )}
      {monitors.length > 0 && (
        <ul style="margin: 0 0 12px; padding-left: 20px;">
          {monitors.map((line) => (
            <li>{line}</li>
          ))}
        </ul>
      )}
      {links.length > 0 && (
        <p style="margin: 0;">
          {links.map(({ label, url }, index) => (
            <>
              {index > 0 && ' · '}
              <a href={url}>{label}</a>
            </>
          ))}
        </p>
      )}
    </div>
  );
}
