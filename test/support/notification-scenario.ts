import {
  type AlertFacts,
  type Attempt,
  type NotificationAddress,
  type NotificationFacts,
  type NotificationKind,
  type RecordedNotification,
} from '../../src/domain/notification-plan/facts.js';
import { plan } from '../../src/domain/notification-plan/plan.js';
import { type PlannedNotification } from '../../src/domain/notification-plan/planned.js';
import { type PolicyRule } from '../../src/domain/notification-plan/policy.js';

/** A start and a length in seconds. */
type Stretch = [from: number, length: number];

/** What happens to an alert. All times are seconds after the incident was recorded, which is Tuesday 12:00 UTC. */
export interface Scenario {
  policies: {
    steps: [afterSeconds: number, channelIds: string[]][];
    repeatEverySeconds: number | null;
    /** Minutes of the day. */
    quiet: [from: number, to: number] | null;
    disabledAt: number | null;
  }[];
  acknowledgements: [at: number, length: number | null][];
  silences: Stretch[];
  maintenance: Stretch[];
  ups: Stretch[];
  parentDown: Stretch | null;
  end: [at: number, how: 'resolved' | 'paused'] | null;
  retractedAt: number | null;
  channels: Record<string, { fails: Stretch[]; sleeps: Stretch[]; refuses: boolean; loses: boolean }>;
}

/** An attempt to send a notification. */
export interface Send {
  key: string;
  kind: NotificationKind;
  channelId: string;
  at: number;
  outcome: Attempt['outcome'];
}

const START = Date.UTC(2026, 10, 24, 12);
const HORIZON = 3 * 3_600;
const RETRY_SECONDS = 60;
const MAX_ATTEMPTS = 8;
/** How long a check takes to notice that something still fails. */
const NEXT_CHECK = 30;
const CHANNELS = ['a', 'b', 'c'];

const ms = (seconds: number): number => START + seconds * 1_000;
const endOf = ([from, length]: Stretch): number => from + length;
const covers = (stretches: readonly Stretch[], at: number): boolean =>
  stretches.some((one) => one[0] <= at && at < endOf(one));
const known = (at: number | null, now: number): number | null => (at === null || at > now ? null : ms(at));

/**
 * Lets a scenario happen: computes the plan whenever a fact changes, when the plan asks for it, and at `times`; sends
 * what is pending, and retries what failed. Returns the attempts in their order, and the last plan.
 */
export function run(scenario: Scenario, times: readonly number[] = []) {
  const sends: Send[] = [];
  const replaced = new Set<string>();
  const ledger = new Map<string, RecordedNotification>();
  const changes = [...changesOf(scenario), ...times];
  for (let now = 0; ;) {
    const last = plan(factsAt(scenario, ledger, now), policiesAt(scenario, now), ms(now));
    for (const { key, ...row } of last.notifications) {
      const known = ledger.get(key);
      if (known && (known.settled || known.attempts.length > 0)) continue;
      ledger.set(key, { ...addressOf(row), dueAt: row.dueAt, attempts: [], settled: false, channelFailedAt: null });
    }
    const due = last.notifications.find((one) => isReady(scenario, ledger, one, now));
    if (due) {
      sends.push(attempt(scenario, ledger, due, now));
      if (due.replacesTrigger) replaced.add(due.key);
      continue;
    }
    const retries = [...ledger.values()].flatMap(({ settled, attempts }) => {
      const latest = attempts.at(-1);
      return settled || !latest ? [] : (latest.at - START) / 1_000 + RETRY_SECONDS;
    });
    const asked = last.lookAgainAt === null ? [] : [(last.lookAgainAt - START) / 1_000];
    const next = Math.min(...[...changes, ...retries, ...asked].filter((at) => at > now));
    if (next > HORIZON) return { sends, replaced, last, now: ms(now) };
    now = next;
  }
}

function isReady(
  { channels }: Scenario,
  ledger: ReadonlyMap<string, RecordedNotification>,
  { key, status, channelId }: PlannedNotification,
  now: number,
): boolean {
  if (status !== 'pending' || covers(channels[channelId ?? '']?.sleeps ?? [], now)) return false;
  const latest = ledger.get(key)?.attempts.at(-1);
  return latest === undefined || latest.at + RETRY_SECONDS * 1_000 <= ms(now);
}

function attempt(
  { channels }: Scenario,
  ledger: Map<string, RecordedNotification>,
  { key, ...row }: PlannedNotification,
  now: number,
): Send {
  const channel = channels[row.channelId!];
  const attempts = ledger.get(key)?.attempts ?? [];
  let outcome: Attempt['outcome'] = 'sent';
  if (channel?.refuses) outcome = 'refused';
  else if (covers(channel?.fails ?? [], now)) outcome = 'failed';
  else if (channel?.loses && attempts.length === 0) outcome = 'unknown';
  const settled = outcome === 'sent' || outcome === 'refused' || attempts.length + 1 === MAX_ATTEMPTS;
  ledger.set(key, {
    ...addressOf(row),
    dueAt: row.dueAt,
    attempts: [...attempts, { at: ms(now), outcome }],
    settled,
    channelFailedAt: null,
  });
  return { key, kind: row.kind, channelId: row.channelId!, at: now, outcome };
}

function addressOf({ kind, policyId, step, repeat, channelId }: NotificationAddress): NotificationAddress {
  return { kind, policyId, step, repeat, channelId };
}

/** Returns all that became known in a scenario, and its policies, which must not be disabled. */
export function historyOf(scenario: Scenario): { facts: NotificationFacts; policies: PolicyRule[]; untilMs: number } {
  const facts = factsAt({ ...scenario, channels: {} }, new Map(), HORIZON);
  return { facts, policies: policiesAt(scenario, 0), untilMs: ms(HORIZON) };
}

/** Returns the moment of a send, epoch milliseconds. */
export const timeOf = ({ at }: Send): number => ms(at);

function policiesAt({ policies }: Scenario, now: number): PolicyRule[] {
  const clock = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
  return policies.map(({ steps, repeatEverySeconds, quiet, disabledAt }, index) => ({
    id: `p${index}`,
    enabled: disabledAt === null || now < disabledAt,
    activeSince: ms(-86_400),
    match: { all: true },
    on: ['down'],
    steps: steps
      .map(([afterSeconds, channelIds]) => ({ afterSeconds, channelIds }))
      .sort((a, b) => a.afterSeconds - b.afterSeconds),
    repeatEverySeconds,
    quietHours: quiet && { timezone: 'UTC', days: ['tuesday'], from: clock(quiet[0]), to: clock(quiet[1]), except: [] },
  }));
}

/** Returns what is known at a moment. */
function factsAt(
  scenario: Scenario,
  ledger: ReadonlyMap<string, RecordedNotification>,
  now: number,
): NotificationFacts {
  const begun = (stretches: readonly Stretch[]) => stretches.filter(([from]) => from <= now);
  const hold = (one: Stretch, to: number | null) => ({
    from: ms(one[0]),
    to,
    failsAgainAt: known(endOf(one) + NEXT_CHECK, now),
  });
  const { end, parentDown } = scenario;
  const alert: AlertFacts = {
    incidentId: 'i',
    episode: 1,
    event: 'down',
    recordedAt: START,
    monitors: [
      {
        id: 'm',
        type: 'http',
        tags: [],
        maintenance: begun(scenario.maintenance).map((one) => hold(one, ms(endOf(one)))),
      },
    ],
    children: [],
    end: end !== null && end[0] <= now ? { at: ms(end[0]), how: end[1] } : null,
    retractedAt: known(scenario.retractedAt, now),
    acknowledgements: scenario.acknowledgements
      .filter(([at]) => at <= now)
      .sort((a, b) => a[0] - b[0])
      .map(([at, length]) => ({ at: ms(at), until: length === null ? null : ms(at + length) })),
    upSpans: begun(scenario.ups).map((one) => ({ from: ms(one[0]), to: known(endOf(one), now) })),
    silences: begun(scenario.silences).map((one) => ({
      match: { all: true },
      from: ms(one[0]),
      to: ms(endOf(one)),
    })),
    parents: parentDown === null ? [] : [{ answeredAt: known(10, now), down: begun([parentDown]).map((one) => hold(one, known(endOf(one), now))) }], // prettier-ignore
  };
  const channels = CHANNELS.map((id) => ({ id, enabled: true, failingSince: failingSince(scenario, id, now) }));
  return { alert, channels, recorded: [...ledger.values()] };
}

function failingSince({ channels }: Scenario, id: string, now: number): number | null {
  const fails = channels[id]?.fails.find((one) => covers([one], now));
  return fails ? ms(fails[0]) : null;
}

/** Returns the moments at which a fact changes. */
function changesOf(scenario: Scenario): number[] {
  const { policies, acknowledgements, silences, maintenance, ups, parentDown, end, retractedAt, channels } = scenario;
  const ofChannels = Object.values(channels).flatMap(({ fails, sleeps }) => [...fails, ...sleeps]);
  const holds = parentDown === null ? maintenance : [...maintenance, parentDown];
  const ends = [...ofChannels, ...ups, ...holds].map(endOf);
  const starts = [...ofChannels, ...silences, ...ups, ...holds, ...acknowledgements].map(([from]) => from);
  const checks = holds.map((one) => endOf(one) + NEXT_CHECK);
  const disabled = policies.map(({ disabledAt }) => disabledAt);
  const single = [10, end?.[0] ?? null, retractedAt, ...disabled].filter((at) => at !== null);
  return [...starts, ...ends, ...checks, ...single];
}
