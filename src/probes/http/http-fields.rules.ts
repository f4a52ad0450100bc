import { isHeaderName } from '../../domain/header-name.js';
import { HAS_USER_INFORMATION, webAddressProblem } from '../host.rules.js';
import { isSecretHeader } from './credentials.js';

const MAX_HEADERS = 50;
const MAX_HEADER_VALUE_LENGTH = 8_192;
export const MAX_BODY_BYTES = 64 * 1024;
/** Headers that frame the message or belong to the connection, which the service sets itself. */
const OUR_HEADERS = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

// Rules of the HTTP fields: each returns what is wrong with a value, or `null`. Values of other types pass.

export function url(value: unknown): string | null {
  const problem = webAddressProblem(value);
  return problem === HAS_USER_INFORMATION ? `${problem}: use auth` : problem;
}

export function headersShape(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object of strings';
  return Object.values(value).every((one) => typeof one === 'string') ? null : 'must be an object of strings';
}

export function headersCount(value: unknown): string | null {
  return entriesOf(value).length > MAX_HEADERS ? `must have at most ${MAX_HEADERS} headers` : null;
}

export function headerNames(value: unknown): string | null {
  const seen = new Set<string>();
  for (const [name] of entriesOf(value)) {
    const shown = JSON.stringify(name.slice(0, 100));
    if (!isHeaderName(name)) return `must not contain ${shown}: it is not a valid header name`;
    if (OUR_HEADERS.has(name.toLowerCase())) return `must not contain ${shown}: it is set automatically`;
    if (seen.has(name.toLowerCase())) return `must not contain ${shown} twice`;
    seen.add(name.toLowerCase());
  }
  return null;
}

export function headerValues(value: unknown): string | null {
  const faulty = entriesOf(value).find(([, text]) => typeof text === 'string' && /[^\t\x20-\x7e\x80-\xff]/.test(text));
  return faulty
    ? `must not contain line breaks, control characters or characters outside Latin-1 in ${faulty[0]}`
    : null;
}

export function headerLengths(value: unknown): string | null {
  const long = entriesOf(value).find(([, text]) => typeof text === 'string' && text.length > MAX_HEADER_VALUE_LENGTH);
  return long ? `must have values of at most ${MAX_HEADER_VALUE_LENGTH} characters` : null;
}

export function headerName(value: unknown): string | null {
  return typeof value !== 'string' || isHeaderName(value) ? null : 'must contain only valid header names';
}

export function distinctNames(value: unknown): string | null {
  if (!Array.isArray(value)) return null;
  const names = (value as unknown[]).map((one) => (typeof one === 'string' ? one.toLowerCase() : one));
  return new Set(names).size === names.length ? null : 'must not contain a name twice';
}

export function bodySize(value: unknown): string | null {
  return typeof value === 'string' && Buffer.byteLength(value) > MAX_BODY_BYTES ? 'must be at most 64 KiB' : null;
}

export function authAlone(value: unknown, fields: object): string | null {
  const headers = 'headers' in fields ? fields.headers : null;
  const both = value && entriesOf(headers).some(([name]) => name.toLowerCase() === 'authorization');
  return both ? 'must be null if headers contains Authorization' : null;
}

/** Only one body can be sent, and a form determines its own media type. */
export function formAlone(settings: unknown, fields: object): string | null {
  if (entriesOf(settings).every(([name, value]) => name !== 'form' || value === null)) return null;
  const { body, headers } = fields as { body?: unknown; headers?: unknown };
  if (body != null) return 'must not have a form besides body';
  const hasType = entriesOf(headers).some(([name]) => name.toLowerCase() === 'content-type');
  return hasType ? 'must not have a form if headers contains Content-Type' : null;
}

/** Returns the paths to the members of HTTP fields that contain secrets. */
export function httpSecretPaths(fields: {
  auth?: object | null;
  headers?: object;
  secretHeaders?: readonly string[];
  settings?: object | null;
}): string[][] {
  const auth = ['password', 'token', 'clientSecret']
    .filter((name) => fields.auth && name in fields.auth)
    .map((name) => ['auth', name]);
  const headers = entriesOf(fields.headers).filter(([name]) => isSecretHeader(name, fields.secretHeaders ?? []));
  const { clientCertificate, proxyUrl } = (fields.settings ?? {}) as Partial<Record<string, unknown>>;
  return [
    ...auth,
    ...headers.map(([name]) => ['headers', name]),
    // Without what it belongs to, a secret is dropped.
    ...(clientCertificate ? [['settings', 'clientKey']] : []),
    ...(proxyUrl ? [['settings', 'proxyPassword']] : []),
  ];
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
