import { type Message } from '../message.js';
import { outlineOf } from '../outline.js';

/** Returns what alerting services show beside an alert: names and values, all of them texts. */
export function detailsOf(message: Message): Record<string, string> {
  const { rows, monitors, sentences } = outlineOf(message);
  const { runbook } = message.links;
  return {
    ...Object.fromEntries(rows.map(({ label, value }) => [label, value])),
    ...(monitors.length > 0 && { Monitors: monitors.join('\n') }),
    ...(runbook !== null && { Runbook: runbook }),
    ...(sentences.length > 0 && { Note: sentences.join(' ') }),
  };
}
