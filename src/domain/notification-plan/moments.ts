import { type AlertFacts } from './facts.js';
import { type PolicyRule, type PolicyStep } from './policy.js';
import { acknowledged, type Stops } from './stops.js';

/** When a step or a repeat of the last step comes due. Epoch milliseconds; `Infinity` if that is not known. */
export interface Moment {
  /** Counts from 1. */
  step: number;
  /** 0 for the step itself. */
  repeat: number;
  channelIds: ReadonlySet<string>;
  /** When it comes due if nothing makes it wait then. */
  dueAt: number;
  /** The first moment from `dueAt` on at which nothing makes it wait. */
  releasedAt: number;
}

/** Returns the steps that an alert takes: all of them for an outage, the first one for everything else. */
function stepsFor({ event }: AlertFacts, { steps }: PolicyRule): readonly PolicyStep[] {
  return event === 'down' ? steps : steps.slice(0, 1);
}

/**
 * Returns all steps of a policy, and of the repeats of the last one the latest that comes due by `untilMs` and the next.
 *
 * A step that comes due while steps wait is released when that ends, and the following ones keep their distance to it,
 * so that the end of a night does not wake everybody at once. The wait for parents is the exception: it delays a step
 * but not those after it. Where `failedAt` returns when a step failed, the next one comes due then; later steps keep
 * their times. Without `repeatEverySeconds`, the end of an acknowledgement repeats the last step once if all steps had
 * come due before, since nobody would hear of the outage again otherwise.
 */
export function momentsOf(
  alert: AlertFacts,
  policy: PolicyRule,
  stops: Stops,
  failedAt: (step: number, releasedAt: number) => number | null,
  untilMs: number,
): Moment[] {
  const clock = stops.without('awaiting_parent');
  const moments: Moment[] = [];
  const add = (step: number, repeat: number, dueAt: number, channelIds: readonly string[]): number => {
    const releasedAt = stops.release(dueAt);
    moments.push({ step, repeat, dueAt, releasedAt, channelIds: new Set(channelIds) });
    return releasedAt;
  };
  const steps = stepsFor(alert, policy);
  let at = Math.max(alert.recordedAt, alert.notBefore ?? 0, policy.activeSince);
  let elapsedSeconds = 0;
  let released = at;
  for (const [index, { afterSeconds, channelIds }] of steps.entries()) {
    const regular = at + (afterSeconds - elapsedSeconds) * 1000;
    const failed = index === 0 ? null : failedAt(index, released);
    released = add(index + 1, 0, Math.min(regular, failed ?? Infinity), channelIds);
    at = clock.release(regular);
    elapsedSeconds = afterSeconds;
  }
  const last = steps.at(-1);
  if (!last || alert.event !== 'down') return moments;
  if (policy.repeatEverySeconds === null) {
    const ends = acknowledged(alert).filter(({ to }) => to > released && to !== Infinity);
    for (const [index, { to }] of ends.entries()) add(steps.length, index + 1, to, last.channelIds);
    return moments;
  }
  const everyMs = policy.repeatEverySeconds * 1000;
  let latest: number | null = null;
  let repeat = 1;
  for (at += everyMs; at <= untilMs; at = clock.release(at) + everyMs) {
    latest = at;
    repeat += 1;
  }
  if (latest !== null) add(steps.length, repeat - 1, latest, last.channelIds);
  add(steps.length, repeat, at, last.channelIds);
  return moments;
}
