import { type FieldError } from '../../http/problems/problem.js';

/** The most common passwords that are long enough. A list is never complete: the length is what protects. */
const USUAL: ReadonlySet<string> = new Set([
  '123456789012',
  '1234567890123',
  '12345678901234',
  '123456789101112',
  '1q2w3e4r5t6y',
  '1qaz2wsx3edc',
  '1qaz2wsx3edc4rfv',
  'abcdefghijkl',
  'abcdefghijklm',
  'abcdefghijklmnop',
  'administrator',
  'administrator1',
  'changemechangeme',
  'changeme1234',
  'correcthorsebatterystaple',
  'correct horse battery staple',
  'daywatch1234',
  'daywatchdaywatch',
  'iloveyou1234',
  'letmeinletmein',
  'letmein12345',
  'motdepasse123',
  'password1234',
  'password12345',
  'password123456',
  'passwordpassword',
  'passwort1234',
  'qwerty123456',
  'qwertyuiop12',
  'qwertyuiop123',
  'qwertyuiop[]',
  'qwertyuiopasdfghjkl',
  'welcome12345',
  'zaq12wsxcde3',
]);

/** A password with fewer different characters is easy to guess, however long it is. */
const MIN_DISTINCT = 4;

/** Returns the weaknesses of a password of valid length, for the person with this email, as errors at `/password`. */
export function passwordFaults(password: string, email: string): FieldError[] {
  const weakness = weaknessOf(password.normalize('NFC').trim().toLowerCase(), email);
  return weakness === null ? [] : [{ pointer: '/password', code: 'invalid_value', detail: `password ${weakness}` }];
}

function weaknessOf(plain: string, email: string): string | null {
  if (new Set(plain).size < MIN_DISTINCT) return `must have at least ${MIN_DISTINCT} different characters`;
  if (USUAL.has(plain)) return 'is too common: attackers try it first';
  const [local] = email.split('@');
  return plain === email || plain === local ? 'must not be your own email address' : null;
}
