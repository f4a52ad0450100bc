import { describe, expect, it } from '@jest/globals';
import {
  afterDeadline,
  afterReport,
  type Deadline,
  type HeartbeatRule,
  type HeartbeatState,
  isWaived,
  type Obstacle,
  type OpenRun,
  type PingKind,
  underRule,
} from './heartbeat.js';

const ms = (text: string): number => Date.parse(`2026-01-0${text}Z`);
const DAILY: HeartbeatRule = { schedule: { cron: '0 2 * * *', timezone: 'UTC' }, graceMs: 600_000, maxRunMs: null };
const LIMITED: HeartbeatRule = { ...DAILY, maxRunMs: 1_800_000 };
/** Runs may take longer than the interval of the schedule. */
const LONG: HeartbeatRule = { ...DAILY, schedule: { cron: '0 * * * *', timezone: 'UTC' }, maxRunMs: 86_400_000 };

const missed = (due: string, until: string): Deadline => ({
  dueMs: ms(due),
  untilMs: ms(until),
  code: 'heartbeat_missed',
});

const tooLong = (at: string): Deadline => ({ dueMs: ms(at), untilMs: ms(at), code: 'run_too_long' });
const run = (id: string | null, started: string): OpenRun => ({ id, startedAt: ms(started) });

const NEW: HeartbeatState = { deadline: null, startedAt: null, runs: [], lastPingAt: null };

/** Returns the state after some reports, each written as `2T02:03 start id`. */
function after(rule: HeartbeatRule, ...reports: string[]): HeartbeatState {
  return reports.reduce((state, text) => {
    const [at, kind, id] = text.split(' ') as [string, PingKind, string?];
    return afterReport(state, rule, { kind, runId: id ?? null, atMs: ms(at) });
  }, NEW);
}

describe('the deadline after a report', () => {
  it.each<[string, HeartbeatRule, string[], Deadline]>([
    ['of a success', DAILY, ['1T02:03 success'], missed('2T02:00', '2T02:10')],
    ['of a failure', DAILY, ['1T02:03 fail'], missed('2T02:00', '2T02:10')],
    ['of an early success', DAILY, ['1T01:50 success'], missed('2T02:00', '2T02:10')],
    ['of a success far too early', DAILY, ['1T12:00 success'], missed('2T02:00', '2T02:10')],
    ['of a start without a limit', DAILY, ['1T02:03 start'], missed('2T02:00', '2T02:10')],
    ['of a start with a limit', LIMITED, ['1T02:03 start'], tooLong('1T02:33')],
    ['of the end of a run', LIMITED, ['1T02:03 start', '1T02:20 success'], missed('2T02:00', '2T02:10')],
    ['of another start without a name', LIMITED, ['1T02:03 start', '1T02:13 start'], tooLong('1T02:43')],
    ['of a start while another run is open', LIMITED, ['1T02:03 start a', '1T02:13 start b'], tooLong('1T02:33')],
    ['of the same start again', LIMITED, ['1T02:03 start a', '1T02:13 start a'], tooLong('1T02:43')],
    [
      'of the end of the first run',
      LIMITED,
      ['1T02:03 start a', '1T02:13 start b', '1T02:20 success a'],
      tooLong('1T02:43'),
    ],
    [
      'of the failure of the second run',
      LIMITED,
      ['1T02:03 start a', '1T02:13 start b', '1T02:20 fail b'],
      tooLong('1T02:33'),
    ],
    [
      'of the end of both runs',
      LIMITED,
      ['1T02:03 start a', '1T02:13 start b', '1T02:20 success a', '1T02:21 success b'],
      missed('2T02:00', '2T02:10'),
    ],
    [
      'of the end of a run while an earlier one is open for longer than until the next due time',
      LONG,
      ['1T00:00 start a', '1T01:00 start b', '1T01:05 success b'],
      missed('1T02:00', '1T02:10'),
    ],
    ['of the end of an unknown run', LIMITED, ['1T02:03 start a', '1T02:20 success c'], tooLong('1T02:33')],
    [
      'of an end without a name, beside a start without one',
      LIMITED,
      ['1T02:03 start a', '1T02:04 start', '1T02:13 start b', '1T02:20 success'],
      tooLong('1T02:33'),
    ],
    ['of an end without a name', LIMITED, ['1T02:03 start a', '1T02:20 success'], missed('2T02:00', '2T02:10')],
    [
      'of an end that arrives after a later start',
      LIMITED,
      ['1T02:03 start a', '1T02:13 start b', '1T02:12 success a'],
      tooLong('1T02:43'),
    ],
    ['of a log', LIMITED, ['1T02:03 start', '1T02:20 log'], tooLong('1T02:33')],
  ])('%s', (_, rule, reports, deadline) => expect(after(rule, ...reports).deadline).toEqual(deadline));

  it('limits the newest 20 runs', () => {
    const starts = Array.from({ length: 21 }, (_, at) => `1T02:${10 + at} start run-${at}`);
    const { runs, deadline } = after(LIMITED, ...starts);
    expect({ count: runs.length, deadline }).toEqual({ count: 20, deadline: tooLong('1T02:41') });
  });
});

describe('afterDeadline', () => {
  it('expects the following due time', () => {
    expect(afterDeadline(DAILY, [], ms('1T02:00'))).toEqual({ deadline: missed('2T02:00', '2T02:10'), runs: [] });
  });

  it('expects the end of the runs whose limits follow', () => {
    const runs = [run('a', '1T02:03'), run('b', '1T02:03'), run('c', '1T02:13')];
    expect(afterDeadline(LIMITED, runs, ms('1T02:33'))).toEqual({ deadline: tooLong('1T02:43'), runs: [runs[2]] });
  });

  it('expects the following due time while a run is open for longer', () => {
    const runs = [run('a', '1T00:00')];
    expect(afterDeadline(LONG, runs, ms('1T02:00'))).toEqual({ deadline: missed('1T03:00', '1T03:10'), runs });
  });

  it('expects nothing if the schedule has ended', () => {
    const rule = { ...DAILY, schedule: { onCalendar: '2026-01-01 02:00', timezone: 'UTC' } };
    expect(afterDeadline(rule, [], ms('1T02:00'))).toEqual({ deadline: null, runs: [] });
  });
});

describe('afterReport', () => {
  const running: HeartbeatState = {
    deadline: missed('2T02:00', '2T02:10'),
    startedAt: ms('1T02:03'),
    runs: [],
    lastPingAt: ms('1T02:03'),
  };
  const ended: HeartbeatState = { ...running, startedAt: null, lastPingAt: ms('1T02:20') };

  it.each<[string, HeartbeatState, PingKind, string, HeartbeatState]>([
    ['the first report begins to expect others', NEW, 'start', '1T02:03', running],
    ['the end of a run is the newest report', running, 'success', '1T02:20', ended],
    ['a start that is older than the newest report changes nothing', ended, 'start', '1T02:10', ended],
    ['an end that is older than the newest report changes nothing else', ended, 'success', '1T02:10', ended],
    ['a log changes nothing', running, 'log', '1T02:30', running],
    ['a log is not the first report', NEW, 'log', '1T02:03', NEW],
  ])('%s', (_, before, kind, at, expected) => {
    expect(afterReport(before, DAILY, { kind, runId: null, atMs: ms(at) })).toEqual(expected);
  });
});

describe('underRule', () => {
  const longer: HeartbeatRule = { ...DAILY, graceMs: 1_200_000, maxRunMs: 3_600_000 };

  it.each<[string, HeartbeatRule, string[], HeartbeatRule, string, Deadline | null]>([
    [
      'keeps a due time, with another grace',
      DAILY,
      ['1T02:03 success'],
      longer,
      '1T02:10',
      missed('2T02:00', '2T02:20'),
    ],
    ['keeps the start of a run, with another limit', LIMITED, ['1T02:03 start'], longer, '1T02:10', tooLong('1T03:03')],
    [
      'expects a report if the limit of a run is removed',
      LIMITED,
      ['1T02:03 start'],
      DAILY,
      '1T02:10',
      missed('2T02:00', '2T02:10'),
    ],
    [
      'expects the next report if the limit of a run is removed after a due time has passed',
      LONG,
      ['1T00:00 start'],
      { ...LONG, maxRunMs: null },
      '1T12:30',
      missed('1T13:00', '1T13:10'),
    ],
    ['expects nothing before the first report', LIMITED, [], longer, '1T02:10', null],
  ])('%s', (_, before, reports, rule, now, deadline) => {
    expect(underRule(after(before, ...reports), rule, ms(now)).deadline).toEqual(deadline);
  });
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
