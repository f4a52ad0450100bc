import { describe, expect, it } from '@jest/globals';
import { MESSAGES, messageOf, sendBy, stormOf } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { twilioSmsChannel, type TwilioSmsFields } from './twilio-sms.channel.js';

const receiver = useReceiver();
const SID = 'AC0123456789abcdef0123456789abcdef';
const TOKEN = 'fedcba9876543210fedcba9876543210';
const fieldsOf = (changes: Partial<TwilioSmsFields> = {}): TwilioSmsFields => ({
  accountSid: SID,
  authToken: TOKEN,
  from: '+15551234567',
  to: '+15557654321',
  apiUrl: receiver.origin,
  ...changes,
});

/** Answers as Twilio does: 201 with the message, or a code and a message. */
function twilio({ method, path, headers, form }: Received): Reply {
  const refusal = (status: number, code: number, message: string): Reply => ({
    status,
    json: { code, message, status },
  });
  const login = `Basic ${Buffer.from(`${SID}:${TOKEN}`).toString('base64')}`;
  if (headers.authorization !== login) return refusal(401, 20_003, 'Authenticate');
  if (method !== 'POST' || path !== `/2010-04-01/Accounts/${SID}/Messages.json`)
    return refusal(404, 20_404, 'Not found');
  if (form.get('To') !== '+15557654321') return refusal(400, 21_211, "Invalid 'To' Phone Number");
  if (!form.has('From') && !form.has('MessagingServiceSid')) return refusal(400, 21_603, "A 'From' number is required");
  const body = form.get('Body') ?? '';
  if (body === '' || body.length > 160) return refusal(400, 21_617, 'The message body exceeds the limit');
  return { status: 201, json: { sid: 'SM0123456789abcdef0123456789abcdef', status: 'queued' } };
}

describe('the channel twilio_sms', () => {
  it.each(Object.entries(MESSAGES))('sends a text that Twilio accepts: %s', async (_, message) => {
    receiver.answer(twilio);
    const delivery = await sendBy(twilioSmsChannel, fieldsOf(), message);
    expect(delivery).toEqual({ status: 'sent', providerId: 'SM0123456789abcdef0123456789abcdef', statusCode: 201 });
  });

  it.each([
    ['an outage', messageOf(), 'DOWN Checkout API: status 503 since 15:58 UTC https://daywatch.example/ack/AbC-123_x'],
    [
      'a storm',
      stormOf(40, 'x'.repeat(120)),
      expect.stringMatching(/^DOWN x{100,}\.\.\. https:\/\/daywatch\.example\/ack\/AbC-123_x$/),
    ],
  ])('writes %s', async (_, message, text) => {
    receiver.answer(twilio);
    await sendBy(twilioSmsChannel, fieldsOf(), message);
    expect(receiver.only.form.get('Body')).toEqual(text);
  });

  it('sends through a messaging service', async () => {
    receiver.answer(twilio);
    const service = 'MG0123456789abcdef0123456789abcdef';
    await sendBy(twilioSmsChannel, fieldsOf({ from: service }));
    expect(receiver.only.form.get('MessagingServiceSid')).toBe(service);
    expect(receiver.only.form.has('From')).toBe(false);
  });

  it.each<[Reply, object]>([
    [{ status: 429, json: { code: 20_429, message: 'Too Many Requests' } }, { permanent: false }],
    [
      { status: 400, json: { code: 21_610, message: 'Attempt to send to unsubscribed recipient' } },
      { permanent: true, error: expect.stringContaining('Attempt to send to unsubscribed recipient') },
    ],
    [{ status: 401, json: { code: 20_003, message: 'Authenticate' } }, { permanent: true }],
    [{ status: 503 }, { permanent: false }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(twilioSmsChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
