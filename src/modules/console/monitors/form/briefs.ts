import { type ControlTexts, type FormField } from '../../../../domain/form-field.js';
import { MAX_ROWS, rowField } from './assertion-rows.js';
import { counted } from '../../../../html/counted.js';

/** Returns what the headings of closed sections say about their controls, such as `GET · no headers`. */
export function briefOf(fields: readonly FormField[], texts: ControlTexts): string {
  return joined(fields.map(({ brief }) => brief?.(texts)));
}

/** Returns how many assertions the rows of the form hold. */
export function assertionsBrief(texts: ControlTexts): string {
  const count = Array.from({ length: MAX_ROWS }, (_, row) => texts(rowField(row, 'source'))).filter(Boolean).length;
  return count === 0 ? 'no assertions' : counted(count, 'assertion');
}

/** Returns which credentials a check sends. */
export function authBrief(texts: ControlTexts): string {
  const user = texts('username');
  if (texts('authType') === 'bearer') return 'bearer token';
  if (texts('authType') === 'oauth2') return 'OAuth 2.0';
  if (texts('authType') === 'basic') return user === '' ? 'username and password' : `username ${user}`;
  return 'none';
}

/** Joins the parts of a heading that say something. */
export function joined(parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}
