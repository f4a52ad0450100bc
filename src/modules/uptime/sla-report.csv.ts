import { type SlaFiguresDto, type SlaReportDto } from './dto/sla-report.dto.js';

type Value = string | number | boolean | null;

const FIGURES = [
  'uptimePercent',
  'coveragePercent',
  'monitoredSeconds',
  'downSeconds',
  'incidentCount',
  'mttrSeconds',
  'mtbfSeconds',
  'errorBudgetSeconds',
  'errorBudgetConsumedSeconds',
  'errorBudgetRemainingSeconds',
  'burnRate',
  'met',
] as const satisfies readonly (keyof SlaFiguresDto)[];

const HEADER = ['monitorId', 'key', 'name', 'from', 'to', 'targetPercent', ...FIGURES];

/**
 * Returns a report as CSV (RFC 4180): a header, a row for each monitor, and the total, which has no `monitorId`. Null
 * values are empty.
 */
export function toCsv(report: SlaReportDto): string {
  const period: Value[] = [report.from, report.to, report.targetPercent];
  const figures = (of: SlaFiguresDto): Value[] => FIGURES.map((name) => of[name]);
  const rows: Value[][] = [
    HEADER,
    ...report.monitors.map((one) => [
      one.monitorId,
      one.key === null ? null : inert(one.key),
      inert(one.name),
      ...period,
      ...figures(one),
    ]),
    [null, null, 'Total', ...period, ...figures(report.total)],
  ];
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Escapes a user's text that a spreadsheet would interpret as a formula. */
function inert(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}

function cell(value: Value): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
