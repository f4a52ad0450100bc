import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { isSignedByPagerduty, pagerdutyActionOf } from './pagerduty-webhook.js';

const SECRET = 'cNhMdZLJOYPXsPEkpaYYeHxyoM40MEKl';
const BODY = Buffer.from('{"event":{"event_type":"pagey.ping"}}');
const hex = createHmac('sha256', SECRET).update(BODY).digest('hex');
const other = 'a'.repeat(64);

describe('a signature of PagerDuty', () => {
  it.each([
    `v1=${hex}`,
    `v1=${hex.toUpperCase()}`,
    `v1=${other},v1=${hex}`,
    `v1=${hex}, v1=${other}`,
    `v2=x,v1=${hex}`,
  ])('is accepted: %s', (header) => {
    expect(isSignedByPagerduty(SECRET, BODY, header)).toBe(true);
  });

  it.each(['', hex, `v2=${hex}`, `v1=${other}`, `v1=${hex}0`, `v1=${hex.slice(2)}`, 'v1=', `v1=${'z'.repeat(64)}`])(
    'is rejected: %s',
    (header) => {
      expect(isSignedByPagerduty(SECRET, BODY, header)).toBe(false);
    },
  );

  it('is rejected for another body or secret', () => {
    expect(isSignedByPagerduty(SECRET, Buffer.concat([BODY, Buffer.from(' ')]), `v1=${hex}`)).toBe(false);
    expect(isSignedByPagerduty(`${SECRET}x`, BODY, `v1=${hex}`)).toBe(false);
  });
});

describe('an event of PagerDuty', () => {
  const event = {
    id: '01BOTS9CMDCUQ3F6F5IOZ4TI8Z',
    event_type: 'incident.acknowledged',
    resource_type: 'incident',
    occurred_at: '2026-11-25T10:00:00Z',
    agent: { id: 'PXPGF42', type: 'user_reference', summary: 'Jane Doe' },
    data: { id: 'PT4KHLK', type: 'incident', incident_key: 'key/1', status: 'acknowledged' },
  };
  const action = {
    type: 'acknowledge',
    alertKey: 'key/1',
    occurredAtMs: Date.parse('2026-11-25T10:00:00Z'),
    agent: 'Jane Doe',
  };

  it.each([
    [{}, action],
    [{ event_type: 'incident.unacknowledged' }, { ...action, type: 'unacknowledge' }],
    [{ agent: null }, { ...action, agent: null }],
    [{ agent: { summary: ' \n ' } }, { ...action, agent: null }],
    [{ agent: { summary: ' Jane\n\u2028Doe ' } }, action],
    [{ agent: { summary: 'x'.repeat(300) } }, { ...action, agent: 'x'.repeat(100) }],
  ])('is read: %j', (changes, expected) => {
    expect(pagerdutyActionOf({ event: { ...event, ...changes } })).toEqual(expected);
  });

  it.each([
    { event_type: 'incident.resolved' },
    { event_type: 'constructor' },
    { event_type: 1 },
    { occurred_at: 'yesterday' },
    { data: null },
    { data: { incident_key: null } },
  ])('changes nothing: %j', (changes) => {
    expect(pagerdutyActionOf({ event: { ...event, ...changes } })).toBeNull();
  });

  it.each([undefined, null, 'text', [], {}, { event: [] }])('changes nothing if the body is %j', (body) => {
    expect(pagerdutyActionOf(body)).toBeNull();
  });
});
