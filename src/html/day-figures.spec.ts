import { describe, expect, it } from '@jest/globals';
import { barParts, dayRuns, daysBeforeData, elapsedSeconds, type ShownDay } from './day-figures.js';
import { barsMarkup, rowsMarkup } from './day-markup.js';

function day(figures: Partial<ShownDay>): ShownDay {
  return {
    date: '2026-01-01',
    status: 'up',
    uptimePercent: 100,
    incidentCount: 0,
    upSeconds: 0,
    degradedSeconds: 0,
    downSeconds: 0,
    maintenanceSeconds: 0,
    pausedSeconds: 0,
    excludedSeconds: 0,
    unknownSeconds: 0,
    ...figures,
  };
}

describe('daysBeforeData', () => {
  it.each<[number, Partial<ShownDay>[]]>([
    [0, []],
    [2, [{}, { unknownSeconds: 86_400 }]],
    [1, [{ unknownSeconds: 86_400 }, { unknownSeconds: 86_000, upSeconds: 400 }, {}]],
    [0, [{ pausedSeconds: 1 }, { unknownSeconds: 86_400 }]],
  ])('is %i for %j', (count, days) => {
    expect(daysBeforeData(days.map(day))).toBe(count);
  });
});

describe('elapsedSeconds', () => {
  it('includes the time of every kind, and only the elapsed part of the last day', () => {
    const whole = day({ upSeconds: 80_000, downSeconds: 400, unknownSeconds: 6_000 });
    expect(elapsedSeconds([whole, day({ pausedSeconds: 3_500, excludedSeconds: 100 })])).toBe(90_000);
    expect(elapsedSeconds([])).toBe(0);
  });
});

describe('barParts', () => {
  it.each<[string, Partial<ShownDay>, [string, number][]]>([
    ['a day of one kind', { upSeconds: 86_400 }, [['up', 1]]],
    ['a day that has just begun', {}, [['unknown', 1]]],
    [
      'the elapsed part of a day',
      { downSeconds: 50, upSeconds: 50 },
      [
        ['down', 0.5],
        ['up', 0.5],
      ],
    ],
    [
      'unknown time',
      { unknownSeconds: 21_600, upSeconds: 64_800 },
      [
        ['unknown', 0.25],
        ['up', 0.75],
      ],
    ],
    [
      'a short outage, enlarged',
      { downSeconds: 1, upSeconds: 86_399 },
      [
        ['down', 0.2],
        ['up', 0.8],
      ],
    ],
    [
      'a short pause, smaller than an outage',
      { pausedSeconds: 1, upSeconds: 86_399 },
      [
        ['paused', 0.107],
        ['up', 0.893],
      ],
    ],
    [
      'the worst kind at the bottom',
      { upSeconds: 25, degradedSeconds: 25, downSeconds: 25, maintenanceSeconds: 25 },
      [
        ['down', 0.25],
        ['degraded', 0.25],
        ['maintenance', 0.25],
        ['up', 0.25],
      ],
    ],
  ])('draws %s', (_, figures, expected) => {
    const parts = barParts(day(figures));
    expect(parts.map(({ kind, share }) => [kind, Math.round(share * 1_000) / 1_000])).toEqual(expected);
    let from = 0;
    for (const part of parts) {
      expect(part.from).toBeCloseTo(from, 10);
      from += part.share;
    }
    expect(from).toBeCloseTo(1, 10);
  });
});

describe('dayRuns', () => {
  it('merges adjacent days with the same figures, newest first', () => {
    const up = { upSeconds: 86_400 };
    const days = [up, up, { ...up, incidentCount: 1 }, up, up, up, { upSeconds: 50 }].map((figures, index) =>
      day({ ...figures, date: `2026-01-0${index + 1}` }),
    );
    expect(dayRuns(days).map(({ first, last, count }) => [first.date, last.date, count])).toEqual([
      ['2026-01-07', '2026-01-07', 1],
      ['2026-01-04', '2026-01-06', 3],
      ['2026-01-03', '2026-01-03', 1],
      ['2026-01-01', '2026-01-02', 2],
    ]);
    expect(dayRuns([])).toEqual([]);
  });
});

describe('the markup of days', () => {
  const days = [
    day({ date: '2026-01-01', status: 'unknown', unknownSeconds: 86_400, uptimePercent: null }),
    day({
      date: '2026-01-02',
      status: 'down',
      downSeconds: 300,
      upSeconds: 86_100,
      uptimePercent: 99.652,
      incidentCount: 1,
    }),
    day({ date: '2026-01-03', upSeconds: 86_400 }),
  ];

  it('describes each bar in a tooltip and leaves slots empty before the first result', () => {
    const bars = barsMarkup(days);
    expect([...bars.matchAll(/<title>(.*?)<\/title>/g)].map(([, text]) => text)).toEqual([
      '1 Jan 2026: no data yet',
      '2 Jan 2026: 99.652%, down 5 minutes, 1 incident',
      '3 Jan 2026: 100%',
    ]);
    const fills = [...bars.matchAll(/<rect (class|fill)="([^"]*)"/g)].map(([, , fill]) => fill);
    expect(fills).toEqual(['slot', 'down', 'up', 'up']);
    expect(barsMarkup(days.toReversed())).toContain('<rect fill="url(#unknown-hatch)"');
    expect(bars).not.toContain('style=');
  });

  it('shows the same figures in a table', () => {
    const cells = rowsMarkup(days)
      .split('</tr>')
      .map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell!.replace(/<[^>]*>/g, '')));
    expect(cells.slice(0, 3)).toEqual([
      ['3 Jan 2026', 'Up', '100%', '0', 'up all day'],
      ['2 Jan 2026', 'Down', '99.652%', '1', 'down 5 minutes'],
      ['1 Jan 2026', 'No data', '–', '0', 'no data 1 day'],
    ]);
  });
});
