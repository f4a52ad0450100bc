import { isEmail } from 'class-validator';
import { type SkipReason } from './dto/subscriber.dto.js';

const MAX_EMAIL = 254;

/**
 * Those who have not confirmed yet become active. Whoever confirms at this moment, or is imported by another request,
 * stays as they are. Returns the others.
 */
export const IMPORT = `
  INSERT INTO status_page_subscribers (id, team_id, status_page_id, email, status, consent_source, confirmed_at)
  SELECT t.id, $2, $3, t.email, 'active', $5, now() FROM unnest($1::uuid[], $4::text[]) AS t (id, email) ORDER BY t.email
  ON CONFLICT (status_page_id, email) DO UPDATE SET status = 'active', consent_source = excluded.consent_source,
    confirmed_at = now(), due_at = NULL, failures = 0 WHERE status_page_subscribers.status = 'pending'
  RETURNING email`;

/** Returns whether a text is an address that a subscriber can have. */
export function isAddress(email: string): boolean {
  return email.length <= MAX_EMAIL && isEmail(email);
}

/** Returns why an import skips an address; null if it does not. */
export function skipReason(
  email: string,
  {
    valid,
    erased,
    quarantined,
    taken,
    wanted,
  }: Record<'valid' | 'erased' | 'quarantined' | 'taken' | 'wanted', ReadonlySet<string>>,
): SkipReason | null {
  if (!valid.has(email)) return 'invalid_address';
  if (erased.has(email)) return 'erased';
  if (quarantined.has(email)) return 'quarantined';
  return taken.has(email) || wanted.has(email) ? 'already_subscribed' : null;
}
