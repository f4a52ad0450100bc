import { SECOND_MS } from '../../../src/domain/durations.js';
import { type Member, type PlanOptions } from './plan.js';
import { type FindingKind } from './verdict.js';

/** The service with one rule of fencing, leases, hand-over or repetition broken, and what a run must find in it. */
export interface Variant {
  name: string;
  /** The module, below `src` in the compiled tree, and how its text changes. */
  file: string;
  changes: readonly (readonly [from: string, to: string])[];
  /** One of these must be found. */
  found: readonly FindingKind[];
  /** Faults that provoke it. */
  plan: PlanOptions;
  /** Shorter than the others if it shows soon, longer if it takes time. */
  minutes?: number;
}

const CHECKER = 'modules/checker';
const DISPATCHERS: readonly Member[] = ['dispatcher-1', 'dispatcher-2'];
const RECORDERS: readonly Member[] = ['recorder-1', 'recorder-2'];
const WORKERS: readonly Member[] = ['worker-1', 'worker-2', 'far-worker-1', 'far-worker-2'];
const NOTIFIERS: readonly Member[] = ['notifier-1', 'notifier-2'];

const kills = (members: readonly Member[], everyMs: number): PlanOptions => ({
  weights: { kill: 1 },
  members,
  everyMs,
});
const suspensions = (members: readonly Member[], everyMs: number, longestMs = 15 * SECOND_MS): PlanOptions => ({
  ...{ weights: { suspend: 1 }, members, everyMs, shortestMs: 6 * SECOND_MS, longestMs },
});

export const VARIANTS: readonly Variant[] = [
  {
    name: 'recorder-ignores-lease',
    file: `${CHECKER}/recorder-leases.service.js`,
    changes: [['if (lost.size > 0)', 'if (lost.size > 1_000)']],
    found: ['intrusion'],
    plan: suspensions(RECORDERS, 10 * SECOND_MS),
  },
  {
    name: 'lease-never-expires',
    file: `${CHECKER}/lease.service.js`,
    changes: [['(l.expires_at < now() AND $7', '(l.expires_at < now() AND false AND $7']],
    found: ['not_back', 'late_takeover'],
    plan: kills([...DISPATCHERS, ...RECORDERS], 30 * SECOND_MS),
  },
  {
    name: 'lease-expires-late',
    file: `${CHECKER}/lease.service.js`,
    changes: [['LEASE_TTL_MS = 4_500', 'LEASE_TTL_MS = 60_000']],
    found: ['late_takeover', 'not_back'],
    plan: kills([...DISPATCHERS, ...RECORDERS], 50 * SECOND_MS),
  },
  {
    name: 'epoch-stays',
    file: `${CHECKER}/lease.service.js`,
    changes: [['CASE WHEN l.holder = $2 THEN 0 ELSE 1 END', 'CASE WHEN l.holder = $2 THEN 0 ELSE 0 END']],
    found: ['epoch'],
    plan: kills(DISPATCHERS, 20 * SECOND_MS),
  },
  {
    name: 'absence-ignores-lease',
    file: `${CHECKER}/dispatcher.service.js`,
    // The pause stands for a suspension at the worst moment.
    changes: [
      [
        `const lost = new Set(await this.lease.lostIn(tx, 'dispatcher', shards));`,
        `await new Promise((resolve) => setTimeout(resolve, 7_000)); const lost = new Set();`,
      ],
    ],
    found: ['intrusion'],
    plan: kills(DISPATCHERS, 15 * SECOND_MS),
  },
  {
    name: 'absence-is-not-recorded',
    file: `${CHECKER}/dispatcher.service.js`,
    changes: [[`await this.spans.addAbsences(tx, locations, own, 'not_running');`, `void [locations, own];`]],
    found: ['unrecorded_absence'],
    plan: kills(DISPATCHERS, 30 * SECOND_MS),
  },
  {
    name: 'dispatcher-goes-on-without-lease',
    file: `${CHECKER}/dispatcher.service.js`,
    changes: [
      ['if (lost.length > 0) {', 'if (lost.length > 1_000) {'],
      [`this.stepAside(shards);\n        if (isShutOut)`, `if (isShutOut)`],
    ],
    found: ['stale_dispatch'],
    plan: kills(DISPATCHERS, 30 * SECOND_MS),
  },
  {
    name: 'results-are-acknowledged-before-they-are-recorded',
    file: `${CHECKER}/redis/redis.queue.js`,
    changes: [
      // On a quiet machine, a result is recorded so soon that a kill seldom comes between.
      ['async (consumer) => consumer(items)', 'async (consumer) => delay(1_000).then(() => consumer(items))'],
      ['await this.unlessAway(isStored);', ''],
      ['await isStored;', ''],
    ],
    found: ['lost_result'],
    plan: kills(RECORDERS, 8 * SECOND_MS),
  },
  {
    name: 'checks-are-finished-before-their-results-are-sent',
    file: `${CHECKER}/redis/redis.queue.js`,
    changes: [['await Promise.all(finished);', 'void Promise.allSettled(finished);']],
    found: ['lost_check'],
    plan: kills(WORKERS, 8 * SECOND_MS),
  },
  {
    name: 'repeated-results-count-again',
    file: 'modules/checks/checks.service.js',
    changes: [
      [
        'ON CONFLICT DO NOTHING',
        'ON CONFLICT (monitor_id, scheduled_at, location, attempt) DO UPDATE SET checked_at = excluded.checked_at',
      ],
    ],
    found: ['miscounted', 'wrong_state'],
    plan: suspensions(WORKERS, 5 * SECOND_MS),
  },
  {
    name: 'repeated-results-take-another-slot',
    file: 'modules/checks/checks.service.js',
    changes: [
      [
        'times(checks.map((one) => one.scheduledAt)),',
        'times(checks.map((one) => one.scheduledAt + Math.floor(performance.now()) % 3)),',
      ],
    ],
    found: ['off_slot', 'recorded_twice'],
    plan: suspensions(WORKERS, 5 * SECOND_MS),
    minutes: 1.5,
  },
  {
    name: 'recorder-believes-its-memory',
    file: 'modules/uptime/rollups.service.js',
    changes: [['throw new StaleMemory();', 'return;']],
    found: ['miscounted'],
    plan: suspensions(RECORDERS, 12 * SECOND_MS, 10 * SECOND_MS),
  },
  {
    name: 'recorder-believes-foreign-locations',
    file: `${CHECKER}/redis/redis.queue.js`,
    changes: [['return result?.location === location && isUuid(monitorId)', 'return isUuid(monitorId)']],
    found: ['forged'],
    plan: kills(WORKERS, 20 * SECOND_MS),
    minutes: 1.5,
  },
  {
    name: 'recorder-believes-locations-that-a-monitor-lacks',
    file: `${CHECKER}/recorder.service.js`,
    changes: [
      [
        'const refused = new Set(moved.filter((_, index) => !former[index]));',
        'const refused = new Set(moved.filter((_, index) => former[index] === null));',
      ],
    ],
    found: ['forged'],
    plan: kills(WORKERS, 20 * SECOND_MS),
    minutes: 1.5,
  },
  {
    name: 'lost-checks-stay-outstanding',
    file: `${CHECKER}/schedule-book.js`,
    changes: [['if (now >= lostAt)', 'if (now >= Infinity)']],
    found: ['not_back'],
    plan: { weights: { 'redis-flush': 1 }, everyMs: 4 * SECOND_MS },
  },
  {
    name: 'channel-is-claimed-from-its-holder',
    file: 'modules/notifications/channel-claims.service.js',
    changes: [['OR c.claimed_until <= now() OR', 'OR c.claimed_until IS NOT NULL OR']],
    found: ['repeated_alert'],
    plan: kills(WORKERS, 20 * SECOND_MS),
  },
  {
    name: 'each-attempt-has-its-own-id',
    file: 'channels/webhook/signature.js',
    changes: [[`'webhook-id': id,`, `'webhook-id': crypto.randomUUID(),`]],
    found: ['doubled_alert'],
    plan: kills(NOTIFIERS, 10 * SECOND_MS),
  },
  {
    name: 'message-counts-as-sent-before-it-is',
    file: 'modules/notifications/notification-worker.service.js',
    changes: [
      [
        'await this.attempts.finish(channel, attempts, deliveries,',
        `await this.attempts.finish(channel, attempts, deliveries.map(() => ({ status: 'sent', statusCode: 200 })),`,
      ],
    ],
    found: ['lost_alert'],
    plan: kills(NOTIFIERS, 10 * SECOND_MS),
  },
];

/** Returns the text of a variant's module. @throws if the module no longer contains what the variant changes */
export function brokenText({ name, file, changes }: Variant, text: string): string {
  return changes.reduce((before, [from, to]) => {
    const parts = before.split(from);
    if (parts.length !== 2) throw new Error(`${file} contains what ${name} changes ${parts.length - 1} times.`);
    return parts.join(to);
  }, text);
}
