import { IsString, Matches, MaxLength } from 'class-validator';
import { webAddressProblem } from '../probes/host.rules.js';
import { MayBeLeftOut, Rule } from '../probes/rule.decorator.js';
import { type ChannelDefinition } from './channel.js';
import { apiUrlField, basicHeader, endpoint, hostAt, originOf, secretField } from './fields/addresses.js';
import { type Message } from './message.js';
import { textAt } from './net/http-client.js';
import { post } from './net/post.js';
import { cut } from './plain-text.js';

/** The settings of a channel of type `twilio_sms`. */
export class TwilioSmsFields {
  /**
   * SID of the account.
   * @example "AC0123456789abcdef0123456789abcdef"
   */
  @IsString()
  @Matches(/^AC[\da-f]{32}$/i, { message: 'accountSid must be AC followed by 32 hexadecimal digits' })
  accountSid: string;

  /**
   * Auth token of the account. Responses contain `"********"` instead; sending that string keeps the stored token.
   * @example "0123456789abcdef0123456789abcdef"
   */
  @IsString()
  @Matches(/^[\da-z]{16,64}$/i, { message: 'authToken must consist of 16 to 64 letters and digits' })
  authToken: string;

  /**
   * Sender: a number of the account in the form +15551234567, an alphanumeric sender id, or the SID of a messaging
   * service (MG…).
   * @example "+15551234567"
   */
  @IsString()
  @Matches(/^(?:\+\d{4,15}|MG[\da-f]{32}|[A-Za-z\d +-]{1,11})$/, {
    message: 'from must be a phone number with +, a sender ID, or the SID of a messaging service',
  })
  from: string;

  /**
   * Recipient, in the form +15551234567.
   * @example "+15557654321"
   */
  @IsString()
  @Matches(/^\+\d{4,15}$/, { message: 'to must have the form +15551234567' })
  to: string;

  /**
   * Base address of the API.
   * @example "https://api.twilio.com"
   */
  @MayBeLeftOut()
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', webAddressProblem, 'url')
  apiUrl?: string;
}

const API_URL = 'https://api.twilio.com';
const MAX_TEXT = 160;
/** A longer link would leave no room for the subject. */
const MAX_LINK = 90;

/**
 * Sends a text of at most 160 characters: the subject and, if it fits, the link that acknowledges.
 * @see https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource
 * @see https://www.twilio.com/docs/usage/rate-limits (a status of 429 limits the rate)
 */
export const twilioSmsChannel: ChannelDefinition<TwilioSmsFields> = {
  type: 'twilio_sms',
  label: 'SMS (Twilio)',
  summary: 'Sends a text message of at most 160 characters through your Twilio account.',
  audience: 'people',
  example: {
    key: 'sms-on-call',
    name: 'SMS on call',
    settings: {
      accountSid: 'AC0123456789abcdef0123456789abcdef',
      authToken: '0123456789abcdef0123456789abcdef',
      from: '+15551234567',
      to: '+15557654321',
    },
  },
  fields: TwilioSmsFields,
  defaults: { apiUrl: API_URL },
  form: {
    gist: 'A mobile phone',
    essential: [
      {
        pointer: '/to',
        label: 'To',
        kind: 'text',
        required: true,
        help: 'In international format, such as +15551234567.',
      },
      {
        pointer: '/from',
        label: 'From',
        kind: 'text',
        required: true,
        help: 'A phone number of your account, an alphanumeric sender ID, or the SID of a messaging service (MG…).',
      },
      { pointer: '/accountSid', label: 'Account SID', kind: 'text', required: true, help: 'Starts with AC.' },
      secretField('/authToken', 'Auth token', 'Shown in the Twilio Console.'),
    ],
    advanced: [apiUrlField('Default: https://api.twilio.com')],
  },
  secretPaths: () => [['authToken']],
  secretScope: ({ apiUrl = API_URL, accountSid }) => `${originOf(apiUrl)} ${accountSid}`,
  hosts: ({ apiUrl = API_URL }) => hostAt('/apiUrl', apiUrl),
  send(message, { accountSid, authToken, from, to, apiUrl = API_URL }, context) {
    const sender = /^MG[\da-f]{32}$/.test(from) ? 'MessagingServiceSid' : 'From';
    const url = endpoint(apiUrl, `/2010-04-01/Accounts/${accountSid}/Messages.json`);
    const headers = basicHeader(accountSid, authToken);
    return post({ url, headers, form: { To: to, [sender]: from, Body: textOf(message) } }, context, {
      id: ({ json }) => textAt(json, 'sid'),
      explanation: ({ json }) => textAt(json, 'message'),
    });
  },
};

/** Returns the text. Avoids characters that would make a phone use an encoding of 70 characters a message. */
function textOf({ subject, links }: Message): string {
  const link = links.acknowledge ?? links.incident ?? links.monitor;
  const tail = link !== null && link.length <= MAX_LINK ? ` ${link}` : '';
  const plain = subject.replace(/[–—]/g, '-').replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replaceAll('…', '...');
  return cut(plain, MAX_TEXT - tail.length, undefined, '...') + tail;
}
