import { DAY_MS, HOUR_MS } from '../../src/domain/durations.js';
import { type NotificationFacts } from '../../src/domain/notification-plan/facts.js';
import { type NotificationPlan, plan } from '../../src/domain/notification-plan/plan.js';
import { type PlannedNotification } from '../../src/domain/notification-plan/planned.js';
import { type PolicyRule } from '../../src/domain/notification-plan/policy.js';
import { alertsOfIncident } from '../../src/modules/notifications/alert-history.js';
import { type Mutant } from './mutants.js';

type Alert = NotificationFacts['alert'];

/** A planner that is given other facts about the alert. */
const knowing = (change: (alert: Alert) => Partial<Alert>): Mutant['broken'] => ({
  plan: (facts, ...given) => plan({ ...facts, alert: { ...facts.alert, ...change(facts.alert) } }, ...given),
});

/** A planner that is given other policies. */
const following = (change: (policy: PolicyRule) => Partial<PolicyRule>): Mutant['broken'] => ({
  plan: (facts, policies, now) =>
    plan(
      facts,
      policies.map((one) => ({ ...one, ...change(one) })),
      now,
    ),
});

/** A planner whose notifications are changed. */
const returning = (change: (all: readonly PlannedNotification[]) => PlannedNotification[]): Mutant['broken'] => ({
  plan: (...given): NotificationPlan => {
    const made = plan(...given);
    return { ...made, notifications: change(made.notifications) };
  },
});

const withoutKind = (kind: PlannedNotification['kind']): Mutant['broken'] =>
  returning((all) => all.filter((one) => one.kind !== kind));

/** Sends a copy of some notifications to the channel that stands in for others. */
const alsoToSpare = (kind: PlannedNotification['kind'], changes: Partial<PlannedNotification>): Mutant['broken'] => ({
  plan: (facts, policies, now) => {
    const made = plan(facts, policies, now);
    const copies = made.notifications
      .filter((one) => one.kind === kind && one.status === 'pending')
      .slice(0, 1)
      .map((one) => ({ ...one, ...changes, key: `${one.key}/copy`, channelId: 'spare' }))
      .filter(() => !facts.recorded.some((one) => one.channelId === 'spare' && one.kind === kind));
    return { ...made, notifications: [...copies, ...made.notifications] };
  },
});

/** Deliberate faults of planner and sender, and the kind of finding that each must cause. */
export const ALERT_MUTANTS: readonly Mutant[] = [
  { name: 'nobody hears of a recovery', broken: withoutKind('resolve'), found: 'end', first: 8 },
  { name: 'nobody hears that an alert was wrong', broken: withoutKind('correction'), found: 'end', first: 5 },
  { name: 'recoveries reach a channel that was not told', broken: alsoToSpare('resolve', {}), found: 'end', first: 8 },
  {
    name: 'triggers reach a channel of no step',
    broken: alsoToSpare('trigger', { step: 1 }),
    found: 'receiver',
    first: 8,
  },
  {
    name: 'another channel stands in without a failure',
    broken: alsoToSpare('trigger', { step: 0 }),
    found: 'receiver',
    first: 8,
  },
  {
    name: 'a step is sent to the first of its channels only',
    broken: following(({ steps }) => ({
      steps: steps.map((step) => ({ ...step, channelIds: step.channelIds.slice(0, 1) })),
    })),
    found: 'unheard',
    first: 40,
  },
  { name: 'silences are ignored', broken: knowing(() => ({ silences: [] })), found: 'unfounded', first: 24 },
  {
    name: 'silences do not end',
    broken: knowing(({ silences }) => ({ silences: silences.map((one) => ({ ...one, to: one.to! + 30 * DAY_MS })) })),
    found: 'unheard',
    first: 117,
  },
  { name: 'quiet hours are ignored', broken: following(() => ({ quietHours: null })), found: 'unfounded', first: 32 },
  {
    name: 'quiet hours and the rest of the day are mixed up',
    broken: following(({ quietHours }) => ({
      quietHours: quietHours && { ...quietHours, from: quietHours.to, to: quietHours.from },
    })),
    found: 'unfounded',
    first: 32,
  },
  {
    name: 'acknowledgements are ignored',
    broken: knowing(() => ({ acknowledgements: [] })),
    found: 'unfounded',
    first: 40,
  },
  {
    name: 'acknowledgements do not expire',
    broken: knowing(({ acknowledgements }) => ({
      acknowledgements: acknowledgements.map(({ at }) => ({ at, until: null })),
    })),
    found: 'unheard',
    first: 40,
  },
  {
    name: 'maintenance is ignored',
    broken: knowing(({ monitors }) => ({ monitors: monitors.map((one) => ({ ...one, maintenance: [] })) })),
    found: 'unfounded',
    first: 1,
  },
  {
    name: 'maintenance is over at its end, whatever the next check finds',
    broken: knowing(({ monitors }) => ({
      monitors: monitors.map((one) => ({
        ...one,
        maintenance: one.maintenance.map((hold) => ({ ...hold, failsAgainAt: hold.to })),
      })),
    })),
    found: 'unfounded',
    first: 1,
  },
  {
    name: 'the end of a pause notifies at once',
    broken: knowing(({ monitors }) => ({ monitors: monitors.map(({ resumed: _, ...one }) => one) })),
    found: 'unfounded',
    first: 54,
  },
  {
    name: 'a flapping monitor that is up is escalated',
    broken: knowing(() => ({ upSpans: [] })),
    found: 'unfounded',
    first: 58,
  },
  {
    name: 'all steps run at once',
    broken: following(({ steps }) => ({ steps: steps.map((step) => ({ ...step, afterSeconds: 0 })) })),
    found: 'unfounded',
    first: 24,
  },
  {
    name: 'nothing is escalated',
    broken: following(({ steps }) => ({ steps: steps.slice(0, 1) })),
    found: 'unheard',
    first: 40,
  },
  {
    name: 'steps take seconds for minutes',
    broken: following(({ steps }) => ({
      steps: steps.map((step) => ({ ...step, afterSeconds: step.afterSeconds * 60 })),
    })),
    found: 'unheard',
    first: 40,
  },
  {
    name: 'what is held back is sent',
    broken: returning((all) => all.map((one) => (one.status === 'held' ? { ...one, status: 'pending' } : one))),
    found: 'unfounded',
    first: 24,
  },
  {
    name: 'the planner hears of ends an hour late',
    broken: {
      alertsOf: (...given) =>
        alertsOfIncident(...given).map((one) => ({ ...one, end: one.end && { ...one.end, at: one.end.at + HOUR_MS } })),
    },
    found: 'unfounded',
    first: 54,
  },
  {
    name: 'only the first episode of an incident is planned',
    broken: { alertsOf: (...given) => alertsOfIncident(...given).slice(0, 1) },
    found: 'unheard',
    first: 1_083,
  },
  {
    name: 'a pause does not end an alert',
    broken: {
      alertsOf: (id, events) =>
        alertsOfIncident(
          id,
          events.filter(({ type }) => type !== 'monitor.paused'),
        ),
    },
    found: 'end',
    first: 54,
  },
  { name: 'a failed attempt is not repeated', broken: { outcomeOf: () => 'sent' }, found: 'unheard', first: 926 },
  { name: 'a failed attempt is repeated a day later', broken: { retryMs: DAY_MS }, found: 'unheard', first: 189 },
];
