import { type FormFields } from '../../../../http/body/form-fields.js';
import { isJsonObject, type JsonValue } from '../../../../http/body/json.js';

/** Controls of `auth`, which is one of several shapes. */
export const AUTH_LABELS = {
  '/auth': 'Credentials',
  '/auth/type': 'Credentials',
  '/auth/username': 'User name',
  '/auth/password': 'Password',
  '/auth/token': 'Token',
} as const;

/**
 * `auth` as the controls stand. A secret that was left empty is left out where a monitor is changed: it keeps the stored
 * one, unless its type is another one now.
 */
export function authOf(form: FormFields): JsonValue {
  const type = form.text('authType');
  const secret = (name: string) => (form.text(name) === '' ? {} : { [name]: form.text(name) });
  if (type === 'basic') return { type, username: form.text('username'), ...secret('password') };
  if (type === 'bearer') return { type, ...secret('token') };
  return null;
}

/** What stands in the controls; secrets never do. */
export function authTexts(auth: JsonValue | undefined): Record<string, string> {
  if (!isJsonObject(auth)) return { authType: '' };
  return { authType: auth.type as string, username: typeof auth.username === 'string' ? auth.username : '' };
}
