import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from './durations.js';
import { afterReport, type MailReport, NOTHING_KNOWN, type QuarantineState } from './mail-quarantine.js';

const NOW_MS = Date.parse('2026-11-26T12:00:00Z');
const hard: MailReport = { kind: 'bounced', permanent: true, reason: 'No such user' };
const soft: MailReport = { kind: 'bounced', permanent: false, reason: 'Mailbox full' };
const complaint: MailReport = { kind: 'complained', permanent: true, reason: null };
const bounced: QuarantineState = { ...NOTHING_KNOWN, status: 'bounced', reason: 'No such user' };
const complained: QuarantineState = { ...NOTHING_KNOWN, status: 'complained' };
const counted = (transientBounces: number, agoMs: number): QuarantineState => ({
  ...NOTHING_KNOWN,
  transientBounces,
  countedAtMs: NOW_MS - agoMs,
});

describe('a report about an address', () => {
  it.each<[string, QuarantineState, MailReport, Partial<QuarantineState>]>([
    ['a permanent bounce quarantines', NOTHING_KNOWN, hard, { status: 'bounced', reason: 'No such user' }],
    ['a complaint quarantines', NOTHING_KNOWN, complaint, { status: 'complained', reason: null }],
    ['a complaint replaces a bounce', bounced, complaint, { status: 'complained', reason: null }],
    ['a bounce does not replace a complaint', complained, hard, { status: 'complained', reason: null }],
    ['a second bounce changes nothing', bounced, { ...hard, reason: 'Gone' }, { reason: 'No such user' }],
    ['a temporary bounce is counted', NOTHING_KNOWN, soft, { status: null, transientBounces: 1, countedAtMs: NOW_MS }],
    ['one within a day of the latest is not', counted(4, DAY_MS - 1), soft, { status: null, transientBounces: 4 }],
    ['the fourth does not quarantine', counted(3, DAY_MS), soft, { status: null, transientBounces: 4 }],
    ['the fifth does', counted(4, DAY_MS), soft, { status: 'bounced', reason: 'Mailbox full', transientBounces: 5 }],
    ['the latest counts for 30 days', counted(4, 30 * DAY_MS), soft, { status: 'bounced' }],
    ['and is then forgotten', counted(4, 30 * DAY_MS + 1), soft, { status: null, transientBounces: 1 }],
  ])('%s', (_, before, report, after) => {
    expect(afterReport(before, report, NOW_MS)).toMatchObject(after);
  });
});
