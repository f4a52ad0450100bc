import { listed } from '../domain/listed.js';
import { type MessageLocation } from './message.js';

/** Locations that a list names; it counts the others. */
const MAX_NAMED = 5;

/**
 * Returns from where a monitor is down, such as "Down at Amsterdam and Frankfurt; up at Tokyo."; null if no location
 * reports it as down, which includes monitors with a single location.
 */
export function locationSentence(locations: readonly MessageLocation[]): string | null {
  const at = (status: MessageLocation['status']): string[] =>
    locations.filter((one) => one.status === status).map(({ name }) => name);
  const [down, slow, up, unknown] = [at('down'), at('degraded'), at('up'), at('unknown')];
  if (down.length === 0) return null;
  const seenFrom = locations.length - unknown.length;
  const parts = [`Down at ${shortened(down)}`];
  if (slow.length > 0) parts.push(`slow at ${shortened(slow)}`);
  if (up.length > 0) parts.push(`up at ${shortened(up)}`);
  if (seenFrom === 1) parts.push(`seen from 1 of ${locations.length} locations`);
  else if (unknown.length > 0) parts.push(`no recent results from ${shortened(unknown)}`);
  return `${parts.join('; ')}.`;
}

/** Returns "Amsterdam", "Amsterdam and Tokyo", "Amsterdam, Frankfurt and 7 more". */
function shortened(names: readonly string[]): string {
  const named = names.length > MAX_NAMED ? names.slice(0, MAX_NAMED - 1) : names;
  const parts = named.length === names.length ? named : [...named, `${names.length - named.length} more`];
  return listed(parts);
}
