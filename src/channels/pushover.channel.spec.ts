import { describe, expect, it } from '@jest/globals';
import { MARKUP, MESSAGES, messageOf, monitorOf, resolveOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { pushoverChannel, type PushoverFields } from './pushover.channel.js';

const receiver = useReceiver();
const fieldsOf = (): PushoverFields => ({
  apiToken: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
  userKey: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
  apiUrl: receiver.origin,
});

/** Answers as Pushover does, with `status`. */
function pushover({ method, path, form }: Received): Reply {
  const refusal = (error: string): Reply => ({ status: 400, json: { status: 0, request: 'r-0', errors: [error] } });
  if (method !== 'POST' || path !== '/1/messages.json') return { status: 404 };
  if (form.get('token') !== 'azGDORePK8gMaC0QOYAMyEEuzJnyUi') return refusal('application token is invalid');
  if (form.get('user') !== 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG') return refusal('user identifier is invalid');
  const limits: Record<string, number> = { message: 1_024, title: 250, url: 512, url_title: 100 };
  const long = Object.keys(limits).find((name) => (form.get(name) ?? '').length > limits[name]!);
  if (long !== undefined) return refusal(`${long} is too long`);
  if (form.get('message') === '') return refusal('message cannot be blank');
  if (!/^-?[0-2]$/.test(form.get('priority')!) || !/^\d{10}$/.test(form.get('timestamp')!)) return refusal('invalid');
  return { json: { status: 1, request: '647d2300-702c-4b38-8b2f-d56326ae460b' } };
}

describe('the channel pushover', () => {
  it.each(Object.entries(MESSAGES))('sends a message that Pushover accepts: %s', async (_, message) => {
    receiver.answer(pushover);
    const delivery = await sendBy(pushoverChannel, fieldsOf(), message);
    expect(delivery).toEqual({ status: 'sent', providerId: '647d2300-702c-4b38-8b2f-d56326ae460b', statusCode: 200 });
  });

  it('sends plain text, with a priority by impact', async () => {
    receiver.answer(pushover);
    await sendBy(pushoverChannel, fieldsOf(), messageOf({ monitors: [monitorOf({ name: MARKUP })] }));
    await sendBy(pushoverChannel, fieldsOf(), resolveOf());
    const [trigger, resolve] = receiver.requests.map(({ form }) => form);
    expect([trigger!.get('priority'), resolve!.get('priority')]).toEqual(['1', '-1']);
    expect(trigger!.get('title')).toContain('</b>&amp; *a* _b_');
    expect(trigger!.get('html')).toBeNull();
    expect(trigger!.get('url')).toBe(messageOf().links.incident);
  });

  it.each<[Reply, object]>([
    [
      { status: 400, json: { user: 'invalid', errors: ['user identifier is invalid'], status: 0, request: 'r-1' } },
      { permanent: true, error: 'The receiver refused the message (status 400): user identifier is invalid.' },
    ],
    [{ status: 429, json: { status: 0, errors: ['application is over its quota'] } }, { permanent: false }],
    [{ status: 500 }, { permanent: false }],
    [{ json: { status: 0, errors: ['no'] } }, { permanent: true }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(pushoverChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
