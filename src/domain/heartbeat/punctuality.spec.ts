import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.js';
import { type HeartbeatSchedule } from './heartbeat-schedule.js';
import { punctualityOf } from './punctuality.js';

const START = Date.UTC(2026, 0, 10);

/** Returns the times of daily reports that are late by so many minutes, at 02:00 UTC. */
const daily = (minutes: readonly number[]): number[] =>
  minutes.map((late, day) => START + day * DAY_MS + 2 * HOUR_MS + late * MINUTE_MS);
const alternating = (count: number, ...minutes: number[]): number[] =>
  Array.from({ length: count }, (_, index) => minutes[index % minutes.length]!);
const nightly = (timezone = 'UTC'): HeartbeatSchedule => ({ cron: '0 2 * * *', timezone });
const of = (schedule: HeartbeatSchedule, graceMinutes: number, reports: readonly number[]) =>
  punctualityOf({ schedule, graceMs: graceMinutes * MINUTE_MS, maxRunMs: null }, reports);

describe('punctualityOf', () => {
  it('says nothing about fewer than five reports', () => {
    expect(of(nightly(), 60, daily([1, 1, 1, 1]))).toBeNull();
    expect(
      of(
        { everySeconds: 60 },
        5,
        [0, 1, 2, 3, 4].map((minute) => START + minute * MINUTE_MS),
      ),
    ).toBeNull();
  });

  it.each<[what: string, graceMinutes: number, lateMinutes: number[], latest: number, better: number | null]>([
    ['is content with a grace that fits', 30, alternating(20, 1, 8), 8, null],
    ['proposes a longer grace if the latest report came close to it', 10, alternating(20, 1, 9), 9, 1_200],
    ['proposes a longer grace if reports were missed', 10, alternating(20, 1, 25), 25, 3_600],
    ['proposes a shorter grace if it is far longer than needed', 60, alternating(20, 0, 2), 2, 300],
    ['does not propose a shorter grace after a few reports', 60, alternating(9, 0, 2), 2, null],
    ['does not propose to shorten a grace that is short', 15, alternating(20, 0), 0, null],
    ['takes early reports for punctual', 10, alternating(20, -5, -1), 0, null],
  ])('%s', (_, graceMinutes, lateMinutes, latest, betterGraceSeconds) => {
    expect(of(nightly(), graceMinutes, daily(lateMinutes))).toEqual({
      reports: lateMinutes.length,
      latestMs: latest * MINUTE_MS,
      betterGraceSeconds,
      shiftMs: null,
    });
  });

  it.each<[timezone: string, shiftHours: number | null]>([
    ['UTC', null],
    // 02:00 in Berlin is 01:00 UTC in winter, an hour before the reports.
    ['Europe/Berlin', 1],
    ['Asia/Kolkata', 5.5],
    ['America/New_York', -5],
    ['Asia/Kathmandu', 5.75],
  ])('notices reports at 02:00 UTC of a schedule in %s', (timezone, shiftHours) => {
    const found = of(nightly(timezone), 10, daily(alternating(10, 1, 6)))!;
    expect(found.shiftMs).toBe(shiftHours === null ? null : shiftHours * HOUR_MS);
    if (shiftHours !== null) expect(found.betterGraceSeconds).toBeNull();
  });

  it('does not take a job that is late now and then for a wrong time zone', () => {
    expect(of(nightly(), 60, daily(alternating(10, 1, 55)))!.shiftMs).toBeNull();
  });

  it('does not guess for a schedule with several times in a few hours', () => {
    const reports = Array.from({ length: 10 }, (_, hour) => START + hour * HOUR_MS + 31 * MINUTE_MS);
    expect(of({ cron: '0 * * * *', timezone: 'UTC' }, 60, reports)!.shiftMs).toBeNull();
  });

  it('compares the reports of a period with each other, and skips outages', () => {
    const reports = [0, 60, 122, 180, 241, 300, 900, 961].map((minute) => START + minute * MINUTE_MS);
    expect(of({ everySeconds: 3_600 }, 5, reports)).toEqual({
      reports: 6,
      latestMs: 2 * MINUTE_MS,
      betterGraceSeconds: null,
      shiftMs: null,
    });
  });

  it('considers a limited number of times', () => {
    const reports = Array.from({ length: 50 }, (_, day) => START + day * DAY_MS);
    expect(of({ cron: '* * * * *', timezone: 'UTC' }, 5, reports)).toBeNull();
  });
});
