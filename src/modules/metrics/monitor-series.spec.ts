import { beforeEach, describe, expect, it } from '@jest/globals';
import { text } from 'node:stream/consumers';
import { Scrape } from '../../../test/support/exposition.js';
import { finishedCheck as check } from '../../../test/support/finished-check.js';
import { MonitorSeries, type SeriesName } from './monitor-series.js';

const named = (id: string, more: Partial<SeriesName> = {}): SeriesName => ({
  id,
  revision: 1,
  key: null,
  name: `Monitor ${id}`,
  teamId: 't',
  team: 'A team',
  type: 'http',
  ...more,
});

let scheduled: Set<string>;
let left: Set<string>;
let series: MonitorSeries;
beforeEach(() => {
  scheduled = new Set(['a', 'b']);
  left = new Set();
  series = new MonitorSeries((id, location) => scheduled.has(id) && !left.has(location));
});

const told = async (): Promise<Scrape> => new Scrape(await text(series.text()));
const success = async (monitor: string): Promise<number> => (await told()).value('probe_success', { monitor });

describe('MonitorSeries', () => {
  it('exposes monitors whose names are known, in the units of the metric names', async () => {
    series.take([check('a'), check('b')]);
    expect(series.takeUnnamed()).toEqual(['a', 'b']);
    series.name([named('a')]);
    const seen = await told();
    expect(seen.value('probe_duration_seconds')).toBe(0.25);
    expect(seen.value('probe_dns_lookup_time_seconds')).toBe(0.01);
    expect(seen.value('probe_http_status_code')).toBe(200);
    expect(seen.value('probe_http_duration_seconds', { phase: 'resolve' })).toBe(0.01);
    expect(seen.value('probe_http_duration_seconds', { phase: 'processing' })).toBe(0.2);
    expect(seen.value('probe_http_duration_seconds', { phase: 'tls' })).toBeNaN();
    expect(seen.samples('probe_success').map(({ labels }) => labels)).toEqual([
      { monitor: 'a', name: 'Monitor a', team: 'A team', type: 'http', location: 'default' },
    ]);
  });

  it('requests a name once, again for a later revision, and again if it could not be read', () => {
    series.take([check('a'), check('a')]);
    expect(series.takeUnnamed()).toEqual(['a']);
    expect(series.takeUnnamed()).toEqual([]);
    series.leaveUnnamed(['a']);
    expect(series.takeUnnamed()).toEqual(['a']);
    // The definition was read after yet another write.
    series.name([named('a', { revision: 3 })]);
    series.take([check('a', { revision: 2 }), check('a', { revision: 3 })]);
    expect(series.takeUnnamed()).toEqual([]);
    series.take([check('a', { revision: 4 })]);
    expect(series.takeUnnamed()).toEqual(['a']);
  });

  it('requests the names of the monitors of a team that was renamed', async () => {
    series.take([check('a'), check('b')]);
    series.noteTeams(new Map([['t', 'A team']]));
    series.takeUnnamed();
    series.name([named('a'), named('b', { teamId: 'u', team: 'Another' })]);
    const renamed = new Map([
      ['t', 'Renamed'],
      ['u', 'Another'],
    ]);
    series.noteTeams(renamed);
    expect(series.takeUnnamed()).toEqual(['a']);
    series.name([named('a', { team: 'Renamed' })]);
    expect((await told()).value('probe_success', { monitor: 'a', team: 'Renamed' })).toBe(1);
    series.noteTeams(renamed);
    expect(series.takeUnnamed()).toEqual([]);
  });

  it('retains the latest check of each location, in whatever order they arrive', async () => {
    series.take([check('a', { checkedAt: 5_000, status: 'down' }), check('a', { checkedAt: 4_000 })]);
    series.take([check('a', { location: 'elsewhere', status: 'degraded' })]);
    series.name([named('a')]);
    const seen = await told();
    expect(seen.value('probe_success', { location: 'default' })).toBe(0);
    expect(seen.value('probe_success', { location: 'elsewhere' })).toBe(1);
  });

  it('does not expose a location from which a monitor is no longer checked, and removes it when it prunes', async () => {
    series.take([check('a'), check('a', { location: 'elsewhere', status: 'down' })]);
    series.name([named('a')]);
    const atElsewhere = async () => (await told()).value('probe_success', { location: 'elsewhere' });
    expect(await atElsewhere()).toBe(0);
    left.add('elsewhere');
    expect(await atElsewhere()).toBeNaN();
    expect(await success('a')).toBe(1);
    series.prune();
    left.clear();
    expect(await atElsewhere()).toBeNaN();
    expect(await success('a')).toBe(1);
  });

  it('exposes HTTP phases only for monitors of type http', async () => {
    series.take([check('a', { type: 'tcp', outcome: { ...check('a').outcome, statusCode: null } })]);
    series.name([named('a', { type: 'tcp' })]);
    const seen = await told();
    expect(seen.value('probe_dns_lookup_time_seconds')).toBe(0.01);
    expect(seen.samples('probe_http_duration_seconds')).toEqual([]);
  });

  it('exposes no samples while the latest check is unknown', async () => {
    series.take([check('a')]);
    series.name([named('a')]);
    series.take([check('a', { status: 'unknown', checkedAt: 2_000 })]);
    expect([...(await told()).families.values()].flatMap(({ samples }) => samples)).toEqual([]);
  });

  it('does not expose monitors that are not on schedule, and removes them when it prunes', async () => {
    series.take([check('a'), check('b')]);
    series.name([named('a'), named('b')]);
    scheduled.delete('a');
    expect(await success('a')).toBeNaN();
    scheduled.add('a');
    expect(await success('a')).toBe(1);
    scheduled.delete('a');
    series.prune();
    scheduled.add('a');
    expect(await success('a')).toBeNaN();
    expect(await success('b')).toBe(1);
    expect(series.takeUnnamed()).toEqual(['b']);
  });
});
