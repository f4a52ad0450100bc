import { describe, expect, it } from '@jest/globals';
import { RESEND_AFTER_MS, SentRequests } from './sent-requests.js';

const request = (monitorId: string, location = 'default') => ({ monitorId, location, scheduledAt: 1, attempt: -1 });
const [a, b] = [request('a'), request('b', 'east')];
const atOnce = (): number => 0;

describe('SentRequests', () => {
  it('returns each open request once', () => {
    const sent = new SentRequests();
    expect(sent.due([a, b], 0, atOnce)).toEqual([a, b]);
    sent.note([a], 0);
    expect(sent.due([a, b], 1, atOnce)).toEqual([b]);
  });

  it('returns a lost one again, but none that may still wait at its location', () => {
    const sent = new SentRequests();
    sent.note([a, b], 0);
    // East has no worker, so that its oldest check has waited ever since.
    const delayAt = (nowMs: number) => (location: string) => (location === 'east' ? nowMs : 0);
    const later = RESEND_AFTER_MS + 1;
    expect(sent.due([a, b], later, delayAt(later))).toEqual([a]);
    expect(sent.due([a, b], 1_000 * later, delayAt(1_000 * later))).toEqual([a]);
    expect(sent.due([a, b], 1_000 * later, atOnce)).toEqual([a, b]);
  });

  it('returns what could not be sent, or was dispatched by another process in the meantime', () => {
    const sent = new SentRequests();
    sent.note([a, b], 0);
    sent.forget([a]);
    sent.forgetMonitors((id) => id === 'b');
    expect(sent.due([a, b], 1, atOnce)).toEqual([a, b]);
  });

  it('does not remember what is no longer open', () => {
    const sent = new SentRequests();
    sent.note([a, b], 0);
    sent.due([b], 1, atOnce);
    expect(sent.size).toBe(1);
  });
});
