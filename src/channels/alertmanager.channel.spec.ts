import { describe, expect, it } from '@jest/globals';
import { MESSAGES, messageOf, monitorOf, resolveOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { alertmanagerChannel } from './alertmanager.channel.js';

const receiver = useReceiver();
const second = useReceiver();
const fieldsOf = () => ({ urls: [receiver.origin, `${second.origin}/alertmanager/`] });

interface Alert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  startsAt: string;
  endsAt: string;
  generatorURL?: string;
}

/** Answers as Alertmanager does: 200 without a body, or 400 with a JSON string. */
function alertmanager({ method, path, json }: Received): Reply {
  if (method !== 'POST' || !path.endsWith('/api/v2/alerts')) return { status: 404 };
  const [alert, ...others] = json as Alert[];
  const { labels, annotations, startsAt, endsAt, generatorURL } = alert!;
  const isName = (name: string): boolean => /^[a-z_]\w*$/i.test(name);
  const isValid =
    others.length === 0 &&
    Object.keys(labels).length > 0 &&
    [...Object.keys(labels), ...Object.keys(annotations)].every(isName) &&
    Object.values(labels).every((value) => value !== '') &&
    Date.parse(endsAt) > Date.parse(startsAt) &&
    (generatorURL === undefined || URL.canParse(generatorURL));
  return isValid ? { status: 200 } : { status: 400, json: 'start time must be before end time' };
}

const sent = (): Alert => (receiver.only.json as Alert[])[0]!;

describe('the channel alertmanager', () => {
  it.each(Object.entries(MESSAGES))('sends an alert that every instance accepts: %s', async (_, message) => {
    receiver.answer(alertmanager);
    second.answer(alertmanager);
    expect(await sendBy(alertmanagerChannel, fieldsOf(), message)).toMatchObject({ status: 'sent' });
    expect(second.only.path).toBe('/alertmanager/api/v2/alerts');
    expect(second.only.json).toEqual(receiver.only.json);
  });

  it('ends in five minutes unless it is repeated', async () => {
    receiver.answer(alertmanager);
    const before = Date.now();
    await sendBy(alertmanagerChannel, { urls: [receiver.origin] });
    const end = Date.parse(sent().endsAt) - 300_000;
    expect(end).toBeGreaterThanOrEqual(before);
    expect(end).toBeLessThanOrEqual(Date.now());
    expect(alertmanagerChannel.refreshSeconds).toBe(60);
  });

  it('ends when it is resolved, with the same labels', async () => {
    receiver.answer(alertmanager);
    await sendBy(alertmanagerChannel, { urls: [receiver.origin] });
    const { labels, startsAt } = sent();
    receiver.answer(alertmanager);
    await sendBy(alertmanagerChannel, { urls: [receiver.origin] }, resolveOf());
    expect(sent()).toMatchObject({ labels, startsAt, endsAt: '2026-01-15T16:16:00.000Z' });
  });

  it('has labels from the tags, which do not replace its own', async () => {
    receiver.answer(alertmanager);
    const tags = ['region:eu', 'team: Mine', 'alertname:Other', 'pay ments', '9:x'];
    await sendBy(alertmanagerChannel, { urls: [receiver.origin] }, messageOf({ monitors: [monitorOf({ tags })] }));
    expect(sent().labels).toEqual({
      alertname: 'MonitorDown',
      alert_key: messageOf().alertKey,
      severity: 'critical',
      team: 'Shop',
      monitor: 'Checkout API',
      monitor_id: '0198f3a2-0000-7000-8000-000000000001',
      region: 'eu',
      tag_pay_ments: 'true',
      tag_9_x: 'true',
    });
    expect(sent().annotations.runbook_url).toBe(messageOf().links.runbook);
  });

  it('is sent as soon as one instance has it', async () => {
    receiver.answer({ status: 500 });
    second.answer(alertmanager);
    expect(await sendBy(alertmanagerChannel, fieldsOf())).toMatchObject({ status: 'sent' });
  });

  it.each<[Reply, Reply, object]>([
    [
      { status: 400, json: 'bad' },
      { status: 400, json: 'bad' },
      { permanent: true, error: expect.stringContaining('bad') },
    ],
    [{ status: 400, json: 'bad' }, { status: 503 }, { permanent: false, statusCode: 503 }],
    [{ status: 401 }, { status: 429, headers: { 'Retry-After': '2' } }, { permanent: false, retryAfterMs: 2_000 }],
  ])('judges %j and %j', async (first, other, expected) => {
    receiver.answer(first);
    second.answer(other);
    expect(await sendBy(alertmanagerChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
