import { type DelayMemory, delaysIn } from '../../probes/thread/loop-delay.js';
import { familyHead, familyText, labelText } from './exposition.js';
import { type StalledRoute } from './stall-watch.js';

/** The threads of a process: the main one, those of probes, and that of trial checks. */
export interface Threads {
  main: DelayMemory;
  runner: { delays: readonly DelayMemory[] };
  trials: { delays: DelayMemory };
}

/** Returns the delays of the event loops, by thread name, in the text format. */
export function delaysText({ main, runner, trials }: Threads): string {
  const name = 'daywatch_event_loop_delay_seconds';
  let text = familyHead(name, 'histogram', 'How late a timer fires, which is how long a thread was blocked.');
  const probes = runner.delays.map((memory, index) => [`probes-${index}`, memory] as const);
  for (const [thread, memory] of [['main', main] as const, ...probes, ['trials', trials.delays] as const]) {
    text += delaysIn(memory).samples(name, labelText({ thread }));
  }
  return text;
}

/** Returns the requests in progress while the main thread was blocked, in the text format. */
export function stallsText(routes: Iterable<StalledRoute>): string {
  return familyText(
    'daywatch_http_requests_stalled_total',
    'counter',
    'Requests in flight while the main thread was blocked for more than 100 ms.',
    Array.from(routes, ({ method, route, count }) => [{ method, route }, count] as const),
  );
}

/** Returns how often each limit was reached by a team, in the text format. */
export function limitsText(reached: ReadonlyMap<string, number>): string {
  return familyText(
    'daywatch_team_limits_reached_total',
    'counter',
    'Requests rejected because a team had reached a limit, by setting.',
    Array.from(reached, ([limit, count]) => [{ limit }, count] as const),
  );
}

/** Returns how often the watchdog was due to be requested, by outcome, in the text format. */
export function watchdogText(figures: Readonly<Record<string, number>>): string {
  return familyText(
    'daywatch_watchdog_requests_total',
    'counter',
    'Requests to WATCHDOG_URL that were due, by outcome.',
    Object.entries(figures).map(([outcome, count]) => [{ outcome }, count] as const),
  );
}
