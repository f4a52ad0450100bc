/** The parts of a check's key that distinguish it within its monitor. `scheduledAt` is in epoch milliseconds. */
export interface CheckIdParts {
  scheduledAt: number;
  attempt: number;
  location: string;
}

/** Returns an opaque id for a check's key: short, stable, and safe in a path. */
export function checkId({ scheduledAt, attempt, location }: CheckIdParts): string {
  return Buffer.from(`${scheduledAt.toString(36)}.${attempt.toString(36)}.${location}`).toString('base64url');
}

/** Returns the key of an id; `null` for any text that `checkId` does not return. */
export function parseCheckId(id: string): CheckIdParts | null {
  const [, scheduled, attempt, location] =
    /^([0-9a-z]{1,9})\.(-?[0-9a-z]{1,6})\.(.{1,50})$/s.exec(Buffer.from(id, 'base64url').toString()) ?? [];
  if (scheduled === undefined || attempt === undefined || location === undefined) return null;
  const parts = { scheduledAt: parseInt(scheduled, 36), attempt: parseInt(attempt, 36), location };
  const fits = parts.scheduledAt <= 8.64e15 && Math.abs(parts.attempt) <= 2 ** 31 - 1 && !location.includes('\0');
  return fits && checkId(parts) === id ? parts : null;
}
