import { expect, it } from '@jest/globals';
import { type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { countsUpdate } from './list-counts.js';

it.each<[Partial<Record<MonitorStatus, number>>, string]>([
  [{ down: 1, up: 9 }, '▲ down.svg'],
  [{ degraded: 1, up: 9 }, '◐ degraded.svg'],
  [{ unknown: 1, up: 9 }, '○ unknown.svg'],
  [{ up: 1, paused: 9 }, '● up.svg'],
  [{ maintenance: 9 }, '◆ maintenance.svg'],
  [{ pending: 9 }, '○ unknown.svg'],
  [{ paused: 9 }, '‖ paused.svg'],
])('the tab shows %j as %s', (counts, tab) => {
  const { glyph, icon } = countsUpdate(new Map(Object.entries(counts)) as Map<MonitorStatus, number>);
  expect(glyph + icon.split('/').at(-1)!).toBe(tab);
});
