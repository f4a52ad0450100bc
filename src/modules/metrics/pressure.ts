import { type DelayMemory, delaysIn } from '../../probes/thread/loop-delay.js';
import { familyHead, labelText } from './exposition.js';
import { type StalledRoute } from './stall-watch.js';

/** How late the event loops are, by the name of the thread, in the text format. */
export function delaysText(threads: ReadonlyMap<string, DelayMemory>): string {
  const name = 'daywatch_event_loop_delay_seconds';
  let text = familyHead(
    name,
    'histogram',
    'How late a timer of 20 ms is: for so long a thread turned to nothing else.',
  );
  for (const [thread, memory] of threads) text += delaysIn(memory).samples(name, labelText({ thread }));
  return text;
}

/** Which requests were there when the main thread stood still, in the text format. */
export function stallsText(routes: Iterable<StalledRoute>): string {
  const name = 'daywatch_http_requests_stalled_total';
  let text = familyHead(name, 'counter', 'Requests being answered while the main thread stood still for over 100 ms.');
  for (const { method, route, count } of routes) text += `${name}{${labelText({ method, route })}} ${count}\n`;
  return text;
}

/** How often a team had as much as it may, in the text format. */
export function limitsText(reached: ReadonlyMap<string, number>): string {
  const name = 'daywatch_team_limits_reached_total';
  let text = familyHead(name, 'counter', 'Requests refused since a team had as much as it may, by the setting.');
  for (const [limit, count] of reached) text += `${name}{${labelText({ limit })}} ${count}\n`;
  return text;
}
