import { type FormFields } from '../../../../http/body/form-fields.js';
import { isJsonObject, type JsonValue } from '../../../../http/body/json.js';

/** The labels of the controls of `auth`, which has one of several shapes. */
export const AUTH_LABELS = {
  '/auth/type': 'Authentication',
  '/auth/username': 'Username',
  '/auth/password': 'Password',
  '/auth/token': 'Token',
  '/auth/tokenUrl': 'Token endpoint',
  '/auth/clientId': 'Client ID',
  '/auth/clientSecret': 'Client secret',
  '/auth/scope': 'Scope',
} as const;

/** The name of the control of each scheme's secret. */
const SECRETS: ReadonlyMap<string, string> = new Map([
  ['basic', 'password'],
  ['bearer', 'token'],
  ['oauth2', 'clientSecret'],
]);

/** Returns the name of the control of a scheme's secret, by the pointer that it writes. */
export function authSecret(scheme: string): Record<string, string> {
  const name = SECRETS.get(scheme);
  return name === undefined ? {} : { [`/auth/${name}`]: name };
}

/**
 * Returns `auth` as the controls define it. An empty secret is left out, so that a change of a monitor keeps the stored
 * one, unless its type has changed.
 */
export function authOf(form: FormFields): JsonValue {
  const type = form.text('authType');
  const secret = (name: string) => (form.text(name) === '' ? {} : { [name]: form.text(name) });
  if (type === 'basic') return { type, username: form.text('username'), ...secret('password') };
  if (type === 'bearer') return { type, ...secret('token') };
  if (type === 'oauth2') {
    const [tokenUrl, clientId, scope] = ['tokenUrl', 'clientId', 'scope'].map((name) => form.text(name).trim());
    return { type, tokenUrl: tokenUrl!, clientId: clientId!, ...secret('clientSecret'), scope: scope || null };
  }
  return null;
}

/** Returns the contents of the controls, without secrets. */
export function authTexts(auth: JsonValue | undefined): Record<string, string> {
  if (!isJsonObject(auth)) return { authType: '' };
  const texts = ['username', 'tokenUrl', 'clientId', 'scope'].map((name) => {
    return [name, typeof auth[name] === 'string' ? auth[name] : ''];
  });
  return { authType: auth.type as string, ...(Object.fromEntries(texts) as Record<string, string>) };
}
