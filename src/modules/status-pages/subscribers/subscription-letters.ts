import { letterMail } from '../../../channels/mail/letter.js';
import { type Mail } from '../../../channels/mail/mailer.js';
import { mailHeaders, type SubscriberLinks } from './subscriber-links.js';

interface LetterFacts {
  to: string;
  pageName: string;
  links: SubscriberLinks;
}

/** Returns the mail that asks whoever owns an address to confirm that they want to subscribe to a page. */
export function confirmationMail({ to, pageName, links }: LetterFacts): Mail {
  const mail = letterMail({
    to,
    subject: `Confirm your subscription to ${pageName}`,
    paragraphs: [`Someone asked for updates from the status page ${pageName} to be sent to this address.`],
    link: { label: 'Confirm subscription', url: links.preferences },
    notes: [
      'The link is valid for two days. Nothing else is sent to this address unless you confirm.',
      'If this was not you, ignore this email.',
    ],
  });
  return { ...mail, headers: mailHeaders(links) };
}

/** Returns the mail to a subscriber whose webhook has ended. `reason` is a sentence. */
export function webhookEndedMail({ to, pageName, links, reason }: LetterFacts & { reason: string }): Mail {
  const mail = letterMail({
    to,
    subject: `Your webhook for ${pageName} was deactivated`,
    paragraphs: [
      `Updates from the status page ${pageName} are no longer sent to your webhook: ${reason}`,
      'They are sent to this address by email until you activate the webhook again.',
    ],
    link: { label: 'Check the webhook or unsubscribe', url: links.preferences },
    notes: [],
  });
  return { ...mail, headers: mailHeaders(links) };
}

/** Returns the mail to an address that is entered although it is already subscribed. */
export function alreadySubscribedMail({ to, pageName, links }: LetterFacts): Mail {
  const mail = letterMail({
    to,
    subject: `You are subscribed to ${pageName}`,
    paragraphs: [
      `Someone asked for updates from the status page ${pageName} to be sent to this address. You already receive them.`,
    ],
    link: { label: 'Choose components, add a webhook or unsubscribe', url: links.preferences },
    notes: ['If this was not you, ignore this email.'],
  });
  return { ...mail, headers: mailHeaders(links) };
}
