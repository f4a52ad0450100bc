import { expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../src/domain/durations.js';
import { alertsOfIncident, type LoggedEvent } from '../../src/modules/notifications/alert-history.js';
import { type AlertSide } from './alert-side.js';
import { compareAlerts } from './compare-alerts.js';
import { type Interval } from './intervals.js';
import { type Truth } from './oracle.js';
import { Verdict } from './verdict.js';

const START = Date.UTC(2026, 0, 1);
const at = (minute: number): number => START + minute * MINUTE_MS;

/** Returns what is found if the target must be down in these times, and its only outage was paused, and resumed. */
function findings(...mustBeDown: Interval[]): string[] {
  const types = ['incident.opened', 'monitor.paused', 'monitor.resumed', 'incident.resolved'];
  const startedAt = new Date(START).toISOString();
  const events = types.map((type, index): LoggedEvent => ({
    ...{ id: String(index), type, recordedAt: at(10 * index), actorName: null, resourceName: null },
    resourceId: type.startsWith('incident') ? 'incident' : 'monitor',
    data: { kind: 'detected', monitorIds: ['monitor'], startedAt },
  }));
  const side = {
    ...{ events, messages: [], skipped: [], failures: [] },
    alerting: { steps: [], silences: [], quietHours: null, failing: { a: [], b: [], c: [], spare: [], owners: [] } },
    alerts: () => alertsOfIncident('incident', events),
  };
  const verdict = new Verdict(1);
  const truth = { mustBeDown, own: { maintenance: [] } };
  compareAlerts(side as unknown as AlertSide, truth as unknown as Truth, at(1_000), verdict);
  return verdict.findings.map(({ text }) => text);
}

it('requires an alert for an outage after one that was paused', () => {
  expect(findings({ from: at(0), to: at(30) })).toEqual([]);
  expect(findings({ from: at(60), to: at(90) })).toEqual([expect.stringMatching(/^no alert for /)]);
});
