import { expect, it } from '@jest/globals';
import { Scrape } from '../../../test/support/exposition.js';
import { finishedCheck } from '../../../test/support/finished-check.js';
import { type FinishedCheck } from '../checker/finished-checks.service.js';
import { CheckTallies } from './check-tallies.js';
import { MonitorSeries } from './monitor-series.js';

/** A failed check with any code and of any type, as another process may send it. */
function failed(type: string, code: string): FinishedCheck {
  const error = { code, message: '' } as FinishedCheck['outcome']['error'];
  return finishedCheck('a', { type, status: 'down', outcome: { ...finishedCheck('a').outcome, error } });
}

it('adds no series for the types and error codes that workers send, except one for all unknown types', () => {
  const tallies = new CheckTallies();
  const namesIn = (scrape: Scrape) =>
    [...scrape.families.values()].flatMap(({ samples }) => samples.map((one) => JSON.stringify(one.labels)));
  const before = new Set(namesIn(new Scrape(tallies.text(['default']))));
  tallies.take([failed('http', 'timeout'), ...[1, 2, 3].map((n) => failed(`type-${n}`, `code-${n}`))]);
  const scrape = new Scrape(tallies.text(['default']));
  expect(scrape.value('daywatch_checks_total', { type: 'http', status: 'down' })).toBe(1);
  expect(scrape.value('daywatch_check_errors_total', { code: 'timeout' })).toBe(1);
  expect(scrape.value('daywatch_checks_total', { type: 'unknown', status: 'down' })).toBe(3);
  const added = namesIn(scrape).filter((labels) => !before.has(labels));
  expect(added.filter((labels) => !labels.includes('"type":"unknown"'))).toEqual([]);
});

it('ignores what is not a result, and counts the others of its batch', () => {
  const [tallies, series] = [new CheckTallies(), new MonitorSeries(() => true)];
  const batch = [{ monitorId: 'b', location: 'default' } as FinishedCheck, failed('http', 'timeout')];
  tallies.take(batch);
  series.take(batch);
  const scrape = new Scrape(tallies.text(['default']));
  expect(scrape.value('daywatch_checks_total', { type: 'http', status: 'down' })).toBe(1);
  expect(series.takeUnnamed()).toEqual(['a']);
});
