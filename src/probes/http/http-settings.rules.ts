import { createPrivateKey, X509Certificate } from 'node:crypto';
import { MASK } from '../../domain/mask.js';
import { HAS_USER_INFORMATION, webAddressProblem } from '../host.rules.js';
import { parseUrl } from '../net/parse-url.js';
import { requires } from '../rule.decorator.js';
import { MAX_BODY_BYTES } from './http-fields.rules.js';

/** With a longer key, a handshake would hold up the other checks. */
const MAX_KEY_BITS = 8_192;

// Rules of the settings of HTTP requests: each returns what is wrong with a value, or `null`. Values of other types pass.

export function ipVersion(value: unknown): string | null {
  return typeof value === 'number' && value !== 4 && value !== 6 ? 'must be 4 or 6' : null;
}

export function filesNeedMultipart(encoding: unknown, form: object): string | null {
  const hasFile = fieldsOf('fields' in form ? form.fields : null).some(({ fileName }) => fileName != null);
  return hasFile && encoding === 'urlencoded' ? 'must be multipart if a field has a fileName' : null;
}

export function formSize(fields: unknown): string | null {
  const texts = fieldsOf(fields).flatMap(({ name, value, fileName }) => [name, value, fileName]);
  const bytes = texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? Buffer.byteLength(text) : 0), 0);
  return bytes > MAX_BODY_BYTES ? 'must be at most 64 KiB together' : null;
}

export function certificate(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  try {
    new X509Certificate(value);
    return null;
  } catch {
    return 'must be a certificate in PEM';
  }
}

export function certificateWithKey(value: unknown, settings: object): string | null {
  return value && !valueOf(settings, 'clientKey') ? 'requires clientKey' : null;
}

export function privateKey(value: unknown): string | null {
  if (typeof value !== 'string' || value === MASK) return null;
  try {
    const { modulusLength = 0 } = createPrivateKey(value).asymmetricKeyDetails ?? {};
    return modulusLength > MAX_KEY_BITS ? `must have at most ${MAX_KEY_BITS} bits` : null;
  } catch {
    return 'must be a private key in PEM that is not encrypted';
  }
}

export const keyWithCertificate = requires('clientCertificate');

export function proxyUrl(value: unknown): string | null {
  const problem = webAddressProblem(value);
  if (problem === HAS_USER_INFORMATION) return `${problem}: use proxyUsername and proxyPassword`;
  if (problem !== null || typeof value !== 'string') return problem;
  const url = parseUrl(value);
  if (url?.protocol !== 'http:') return 'must begin with http://';
  return url.pathname === '/' && url.search === '' ? null : 'must not have a path';
}

export function proxyUsername(value: unknown, settings: object): string | null {
  if (typeof value === 'string' && /[:\p{Cc}]/u.test(value)) return 'must not contain a colon or control characters';
  return value && !valueOf(settings, 'proxyUrl') ? 'requires proxyUrl' : null;
}

export function proxyPassword(value: unknown, settings: object): string | null {
  if (typeof value === 'string' && /\p{Cc}/u.test(value)) return 'must not contain control characters';
  return requires('proxyUrl')(value, settings);
}

function valueOf(settings: object, name: string): unknown {
  return (settings as Record<string, unknown>)[name];
}

/** Returns the fields of a form. Rules receive them before they are fully validated. */
export function fieldsOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).filter((field): field is Record<string, unknown> => typeof field === 'object' && !!field);
}
