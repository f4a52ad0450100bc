import { type Incident } from './incident.entity.js';

/** How long an acknowledged drill stays open, so that everybody hears who acknowledged it before it ends. */
const AFTER_ACKNOWLEDGEMENT_MS = 60_000;

/**
 * Returns what a write changes about when a drill ends by itself; nothing for other incidents. An acknowledgement brings
 * the end forward. Withdrawing it does not postpone the end again.
 */
export function endOfDrill(
  { kind, settlesAt }: Pick<Incident, 'kind' | 'settlesAt'>,
  { acknowledgedAt, resolvedAt }: Partial<Incident>,
): Pick<Incident, 'settlesAt'> | null {
  if (kind !== 'drill' || settlesAt === null) return null;
  if (resolvedAt) return { settlesAt: null };
  if (!acknowledgedAt) return null;
  return { settlesAt: new Date(Math.min(settlesAt.getTime(), acknowledgedAt.getTime() + AFTER_ACKNOWLEDGEMENT_MS)) };
}
