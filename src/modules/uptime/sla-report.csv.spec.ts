import { expect, it } from '@jest/globals';
import { type SlaReportDto } from './dto/sla-report.dto.js';
import { toCsv } from './sla-report.csv.js';

const FIGURES = {
  uptimePercent: null,
  coveragePercent: 0,
  monitoredSeconds: 0,
  downSeconds: 0,
  incidentCount: 0,
  mttrSeconds: null,
  mtbfSeconds: null,
  burnRate: null,
  met: null,
  errorBudgetSeconds: 1.5,
  errorBudgetConsumedSeconds: 3,
  errorBudgetRemainingSeconds: -1.5,
};

function report(name: string): SlaReportDto {
  return {
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-01-02T00:00:00.000Z',
    timezone: 'UTC',
    computedAt: '',
    method: '',
    targetPercent: 99.9,
    raw: false,
    monitors: [{ monitorId: 'id', key: null, name, ...FIGURES }],
    total: { monitorCount: 1, ...FIGURES },
  };
}

it('writes a header, a row per monitor and the total, each terminated by CRLF', () => {
  expect(toCsv(report('Shop')).split('\r\n')).toEqual([
    'monitorId,key,name,from,to,targetPercent,uptimePercent,coveragePercent,monitoredSeconds,downSeconds,incidentCount,' +
      'mttrSeconds,mtbfSeconds,errorBudgetSeconds,errorBudgetConsumedSeconds,errorBudgetRemainingSeconds,burnRate,met',
    'id,,Shop,2026-01-01T00:00:00.000Z,2026-01-02T00:00:00.000Z,99.9,,0,0,0,0,,,1.5,3,-1.5,,',
    ',,Total,2026-01-01T00:00:00.000Z,2026-01-02T00:00:00.000Z,99.9,,0,0,0,0,,,1.5,3,-1.5,,',
    '',
  ]);
});

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ['=HYPERLINK("http://a.example","x")', '"\'=HYPERLINK(""http://a.example"",""x"")"'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['a=b', 'a=b'],
  ['Größe 🌍', 'Größe 🌍'],
])('writes the name %j as %j', (name, cell) => {
  expect(toCsv(report(name))).toContain(`\r\nid,,${cell},2026`);
});
