import { type DelayMemory, delaysIn } from '../../probes/thread/loop-delay.js';
import { familyHead, labelText } from './exposition.js';
import { type StalledRoute } from './stall-watch.js';

/** Returns the delays of the event loops, by thread name, in the text format. */
export function delaysText(threads: ReadonlyMap<string, DelayMemory>): string {
  const name = 'daywatch_event_loop_delay_seconds';
  let text = familyHead(name, 'histogram', 'How late a 20 ms timer fires, which is how long a thread was blocked.');
  for (const [thread, memory] of threads) text += delaysIn(memory).samples(name, labelText({ thread }));
  return text;
}

/** Returns the requests in progress while the main thread was blocked, in the text format. */
export function stallsText(routes: Iterable<StalledRoute>): string {
  const name = 'daywatch_http_requests_stalled_total';
  let text = familyHead(name, 'counter', 'Requests in flight while the main thread was blocked for more than 100 ms.');
  for (const { method, route, count } of routes) text += `${name}{${labelText({ method, route })}} ${count}\n`;
  return text;
}

/** Returns how often each limit was reached by a team, in the text format. */
export function limitsText(reached: ReadonlyMap<string, number>): string {
  const name = 'daywatch_team_limits_reached_total';
  let text = familyHead(name, 'counter', 'Requests rejected because a team had reached a limit, by setting.');
  for (const [limit, count] of reached) text += `${name}{${labelText({ limit })}} ${count}\n`;
  return text;
}

/** Returns how often the watchdog was due to be requested, by outcome, in the text format. */
export function watchdogText(figures: Readonly<Record<string, number>>): string {
  const name = 'daywatch_watchdog_requests_total';
  let text = familyHead(name, 'counter', 'Requests to WATCHDOG_URL that were due, by outcome.');
  for (const [outcome, count] of Object.entries(figures)) text += `${name}{${labelText({ outcome })}} ${count}\n`;
  return text;
}
