import { describe, expect, it } from '@jest/globals';
import {
  afterReport,
  type Deadline,
  deadlineAfter,
  deadlineAfterMiss,
  type HeartbeatRule,
  type HeartbeatState,
  isWaived,
  type Obstacle,
  type PingKind,
} from './heartbeat.js';

const ms = (text: string): number => Date.parse(`2026-01-0${text}Z`);
const DAILY: HeartbeatRule = { schedule: { cron: '0 2 * * *', timezone: 'UTC' }, graceMs: 600_000, maxRunMs: null };
const LIMITED: HeartbeatRule = { ...DAILY, maxRunMs: 1_800_000 };

const missed = (due: string, until: string): Deadline => ({
  dueMs: ms(due),
  untilMs: ms(until),
  code: 'heartbeat_missed',
});

describe('deadlineAfter', () => {
  it.each<[string, HeartbeatRule, 'success' | 'fail' | 'start', string, Deadline]>([
    ['a success', DAILY, 'success', '1T02:03', missed('2T02:00', '2T02:10')],
    ['a failure', DAILY, 'fail', '1T02:03', missed('2T02:00', '2T02:10')],
    ['an early success', DAILY, 'success', '1T01:50', missed('2T02:00', '2T02:10')],
    ['a success far too early', DAILY, 'success', '1T12:00', missed('2T02:00', '2T02:10')],
    ['a start without a limit', DAILY, 'start', '1T02:03', missed('2T02:00', '2T02:10')],
    [
      'a start with a limit',
      LIMITED,
      'start',
      '1T02:03',
      { dueMs: ms('1T02:33'), untilMs: ms('1T02:33'), code: 'run_too_long' },
    ],
    ['the end of a run', LIMITED, 'success', '1T02:20', missed('2T02:00', '2T02:10')],
  ])('after %s', (_, rule, kind, at, deadline) => expect(deadlineAfter(rule, kind, ms(at))).toEqual(deadline));
});

describe('deadlineAfterMiss', () => {
  it('is that of the following due time', () => {
    expect(deadlineAfterMiss(DAILY, ms('1T02:00'))).toEqual(missed('2T02:00', '2T02:10'));
  });

  it('is null if the schedule has ended', () => {
    const rule = { ...DAILY, schedule: { onCalendar: '2026-01-01 02:00', timezone: 'UTC' } };
    expect(deadlineAfterMiss(rule, ms('1T02:00'))).toBeNull();
  });
});

describe('afterReport', () => {
  const NEW: HeartbeatState = { deadline: null, startedAt: null, lastPingAt: null };
  const running: HeartbeatState = {
    deadline: missed('2T02:00', '2T02:10'),
    startedAt: ms('1T02:03'),
    lastPingAt: ms('1T02:03'),
  };
  const ended: HeartbeatState = { ...running, startedAt: null, lastPingAt: ms('1T02:20') };

  it.each<[string, HeartbeatState, PingKind, string, HeartbeatState]>([
    ['the first report begins to expect others', NEW, 'start', '1T02:03', running],
    ['the end of a run is the newest report', running, 'success', '1T02:20', ended],
    ['a report that is older than the newest one changes nothing', ended, 'start', '1T02:10', ended],
    ['a log changes nothing', running, 'log', '1T02:30', running],
    ['a log is not the first report', NEW, 'log', '1T02:03', NEW],
  ])('%s', (_, before, kind, at, after) => expect(afterReport(before, DAILY, kind, ms(at))).toEqual(after));
});

describe('isWaived', () => {
  it.each<[string, [string, string | null], boolean]>([
    ['before the due time', ['1T01:00', '1T01:59'], false],
    ['until the due time', ['1T01:00', '1T02:00'], true],
    ['within the grace', ['1T02:04', '1T02:05'], true],
    ['at the deadline', ['1T02:10', null], true],
    ['after the deadline', ['1T02:11', null], false],
    ['around both', ['1T01:00', null], true],
  ])('an obstacle %s', (_, [from, to], expected) => {
    const obstacle: Obstacle = { from: ms(from), to: to === null ? null : ms(to) };
    expect(isWaived(missed('1T02:00', '1T02:10'), [obstacle])).toBe(expected);
  });
});
