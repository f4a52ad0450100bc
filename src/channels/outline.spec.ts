import { describe, expect, it } from '@jest/globals';
import { messageOf, monitorOf, resolveOf, stormOf } from '../../test/support/channel-messages.js';
import { type Message } from './message.js';
import { outlineOf, plainLines, type Tone } from './outline.js';
import { type Urgency, urgencyOf } from './urgency.js';

const { links } = messageOf();

describe('the outline', () => {
  it('of an outage says why, since when, from where and what to do', () => {
    expect(plainLines(outlineOf(messageOf({ note: 'Slack #ops failed.' })))).toEqual([
      'Slack #ops failed.',
      'Reason: The response has status 503; expected 2xx.',
      'Since: 15:58 UTC',
      'Checked from: default',
      'Target: https://shop.example/checkout',
      'Team: Shop',
      `Open incident: ${links.incident}`,
      `Acknowledge: ${links.acknowledge}`,
      `Open monitor: ${links.monitor}`,
      `Runbook: ${links.runbook}`,
    ]);
  });

  it('of a recovery says how long it took', () => {
    expect(plainLines(outlineOf(resolveOf()))).toContain('Duration: 18 min (15:58–16:16 UTC)');
  });

  it.each([
    ['Assertion 1 failed: header x equals 1', 'header x equals 1', false],
    ['The response has status 503.', 'header x equals 1', true],
    ['The response has status 503.', null, false],
  ])('with the reason "%s" and the assertion %j names the assertion: %s', (message, failedAssertion, names) => {
    const reason = { code: 'assertion_failed' as const, message, statusCode: 200, failedAssertion };
    const labels = outlineOf(messageOf({ reason })).rows.map(({ label }) => label);
    expect(labels.includes('Failed assertion')).toBe(names);
  });

  it('of a storm names some monitors and counts the others', () => {
    const { monitors, rows } = outlineOf(stormOf(40, 'Service'));
    expect(monitors).toHaveLength(21);
    expect(monitors[0]).toBe('Service 0');
    expect(monitors[20]).toBe('and 27 more monitors');
    expect(rows.map(({ label }) => label)).not.toContain('Target');
  });

  it('marks what has recovered only among others that have not', () => {
    const [down, up] = [monitorOf(), monitorOf({ name: 'Search', recovered: true })];
    expect(outlineOf(messageOf({ monitors: [down, up] })).monitors).toEqual(['Checkout API', 'Search (recovered)']);
    expect(outlineOf(resolveOf({ monitors: [down, up] })).monitors).toEqual(['Checkout API', 'Search']);
  });

  it.each<[string, Message, Tone, Urgency]>([
    ['an outage', messageOf(), 'bad', 'high'],
    ['a test', messageOf({ isTest: true }), 'bad', 'normal'],
    ['a slow monitor', messageOf({ event: 'degraded', impact: 'degraded' }), 'warning', 'normal'],
    ['a monitor that is not observed', messageOf({ event: 'unknown', impact: 'unknown' }), 'warning', 'normal'],
    ['an acknowledgement', messageOf({ kind: 'acknowledged' }), 'neutral', 'low'],
    ['a recovery', resolveOf(), 'good', 'low'],
    ['a correction', messageOf({ kind: 'correction' }), 'neutral', 'low'],
    ['maintenance', messageOf({ event: 'maintenance', impact: 'none' }), 'neutral', 'low'],
  ])('gives %s its tone and urgency', (_, message, tone, urgency) => {
    expect([outlineOf(message).tone, urgencyOf(message)]).toEqual([tone, urgency]);
  });
});
