import { type Incident } from './incident.entity.js';

/** How long an acknowledgement stops the steps of notification policies unless it says otherwise. */
export const ACKNOWLEDGED_SECONDS = 3_600;

type Acknowledgement = Pick<Incident, 'acknowledgedAt' | 'acknowledgedBy' | 'acknowledgedUntil' | 'acknowledgeNote'>;

/** The members of an incident that nobody has acknowledged. */
export const NOT_ACKNOWLEDGED: Acknowledgement = {
  acknowledgedAt: null,
  acknowledgedBy: null,
  acknowledgedUntil: null,
  acknowledgeNote: null,
};

/**
 * Returns what an acknowledgement changes; null if nothing. While an earlier one is in effect, and once the incident is
 * resolved, its author and time remain, but the note and the end can be replaced. A blank note removes the earlier one.
 */
export function acknowledge(
  incident: Acknowledgement & Pick<Incident, 'resolvedAt'>,
  author: string,
  { note, expiresInSeconds }: { note?: string | null; expiresInSeconds?: number | null },
  nowMs: number,
): Partial<Acknowledgement> | null {
  const latest = note ?? incident.acknowledgeNote;
  const acknowledgeNote = latest?.trim() ? latest : null;
  const endsIn = (seconds: number): Date | null => (seconds === 0 ? null : new Date(nowMs + seconds * 1_000));
  const wasAcknowledged = incident.resolvedAt !== null && incident.acknowledgedAt !== null;
  if (!wasAcknowledged && !isInEffect(incident, nowMs)) {
    const acknowledgedUntil = endsIn(expiresInSeconds ?? ACKNOWLEDGED_SECONDS);
    return { acknowledgedAt: new Date(nowMs), acknowledgedBy: author, acknowledgedUntil, acknowledgeNote };
  }
  if (expiresInSeconds != null) return { acknowledgeNote, acknowledgedUntil: endsIn(expiresInSeconds) };
  return acknowledgeNote === incident.acknowledgeNote ? null : { acknowledgeNote };
}

/** Returns whether an incident is acknowledged now. */
export function isInEffect({ acknowledgedAt, acknowledgedUntil }: Acknowledgement, nowMs: number): boolean {
  return acknowledgedAt !== null && (acknowledgedUntil === null || acknowledgedUntil.getTime() > nowMs);
}
