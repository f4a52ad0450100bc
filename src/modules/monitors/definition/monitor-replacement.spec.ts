import { describe, expect, it } from '@jest/globals';
import { MASK } from '../../../domain/mask.js';
import { mapSecrets, valueAt } from '../../../domain/secret-members.js';
import { type JsonObject } from '../../../http/body/json.js';
import { PROBES, probeOf } from '../../../probes/index.js';
import { replaceDefinition } from './monitor-replacement.js';
import { readDefinition } from './monitor-write.js';

const LIMITS = { minIntervalSeconds: 1, locations: ['default'], refusesHost: () => false };
const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const SECRET = 'correct horse';
const host = 'one.example.com';
const url = 'https://one.example.com/';

/** Returns how a definition is stored that was created from these fields. */
function created(type: string, fields: object): JsonObject {
  const { definition, errors } = readDefinition({ name: 'A', type, ...fields }, LIMITS, null, NOW_MS);
  expect(errors).toEqual([]);
  return definition!.fields as JsonObject;
}

/** Replaces a stored definition by one with these fields. Returns its fields, or its errors as `pointer code`. */
function replaced(type: string, stored: JsonObject, fields: object): { fields?: JsonObject; errors?: string[] } {
  const current = mapSecrets(probeOf(type), stored, () => MASK) as JsonObject;
  const raw = replaceDefinition(type, current, { name: 'A', type, ...fields });
  const { definition, errors } = readDefinition(raw, LIMITS, { type, fields: stored }, NOW_MS);
  if (!definition) return { errors: errors.map(({ pointer, code }) => `${pointer} ${code}`) };
  return { fields: definition.fields as JsonObject };
}

const login = { username: 'mon', password: SECRET };
const basic = { type: 'basic', username: 'mon', password: SECRET };
const proxyUrl = 'http://proxy.example.com:3128';
const proxy = { proxyUrl, proxyUsername: 'mon', proxyPassword: SECRET };
const tokenUrl = 'https://login.example.com/';
const oauth2 = { type: 'oauth2', tokenUrl, clientId: 'mon', clientSecret: SECRET };
const token = '0123456789abcdef0123456789abcdef';
const every = { settings: { schedule: { everySeconds: 60 }, graceSeconds: 60 } };
const step = (more: object = {}): object => ({ name: 'One', url, ...more });
const steps = (...all: object[]): object => ({ settings: { steps: all } });
const inStep = (...below: string[]): string[] => ['settings', 'steps', '0', ...below];

/** A type, what is stored, what replaces it, and where a secret must have been kept. */
const KEPT: [string, object, object, string[]][] = [
  ['http', { url, auth: basic }, { url }, ['auth', 'password']],
  ['http', { url, auth: basic }, { url, auth: { type: 'basic', username: 'mon' } }, ['auth', 'password']],
  ['http', { url, auth: { type: 'bearer', token: 'abcdefgh' } }, { url }, ['auth', 'token']],
  ['http', { url, auth: oauth2 }, { url, auth: { ...oauth2, clientSecret: undefined } }, ['auth', 'clientSecret']],
  ['http', { url, headers: { 'X-Api-Key': SECRET } }, { url }, ['headers', 'X-Api-Key']],
  ['http', { url, settings: proxy }, { url }, ['settings', 'proxyPassword']],
  ['http', { url, settings: proxy }, { url, settings: { proxyUrl, http2: true } }, ['settings', 'proxyPassword']],
  ['websocket', { url: 'wss://a.b/', headers: { Cookie: SECRET } }, { url: 'wss://a.b/' }, ['headers', 'Cookie']],
  [
    'grpc',
    { host, port: 1, settings: { metadata: { token: SECRET } } },
    { host, port: 1 },
    ['settings', 'metadata', 'token'],
  ],
  [
    'grpc',
    { host, port: 1, settings: { metadata: { token: SECRET } } },
    { host, port: 1, settings: { tls: true } },
    ['settings', 'metadata', 'token'],
  ],
  ['sequence', steps(step({ auth: basic })), steps(step()), inStep('auth', 'password')],
  ['sequence', steps(step({ headers: { Cookie: SECRET } })), steps(step()), inStep('headers', 'Cookie')],
  ['sequence', steps(step({ settings: proxy })), steps(step()), inStep('settings', 'proxyPassword')],
  [
    'sequence',
    steps(step({ name: 'Zero' }), step({ auth: basic })),
    steps(step(), step({ name: 'New' })),
    inStep('auth', 'password'),
  ],
  ['heartbeat', { ...every, token }, every, ['token']],
  ...['postgres', 'mysql'].map((type): [string, object, object, string[]] => [
    type,
    { host, settings: login },
    { host, settings: { username: 'mon', statement: 'SELECT 2' } },
    ['settings', 'password'],
  ]),
  ...['redis', 'mongodb', 'mqtt', 'smtp'].flatMap((type): [string, object, object, string[]][] => [
    [type, { host, settings: login }, { host }, ['settings', 'password']],
    [type, { host, settings: login }, { host, settings: {} }, ['settings', 'password']],
    [type, { host, settings: login }, { host, settings: { username: 'mon' } }, ['settings', 'password']],
  ]),
];

describe('replaceDefinition', () => {
  it.each(KEPT)('keeps the secret of %s %j that %j omits', (type, before, after, path) => {
    const stored = created(type, before);
    const { fields, errors } = replaced(type, stored, after);
    expect(errors).toBeUndefined();
    const secret = valueAt(fields!, path);
    expect(secret).toEqual(expect.any(String));
    expect(JSON.stringify(before)).toContain(JSON.stringify(secret));
    const isOfUser = path.at(-1) === 'password';
    expect(isOfUser ? valueAt(fields!, path.with(-1, 'username')) : 'mon').toBe('mon');
  });

  it('is tested with every type that has secrets', () => {
    const tested = new Set(KEPT.map(([type]) => type));
    const others = PROBES.filter(({ type }) => !tested.has(type));
    expect(others.flatMap((probe) => probe.secretPaths(probe.example))).toEqual([]);
  });

  it.each<[string, object, object, string[]]>([
    ['auth: null', { url, auth: basic }, { url, auth: null }, ['auth', 'password']],
    ['headers that lack it', { url, headers: { Cookie: SECRET } }, { url, headers: {} }, ['headers', 'Cookie']],
    ['settings: null', { url, settings: proxy }, { url, settings: null }, ['settings', 'proxyPassword']],
    ['proxyUrl: null', { url, settings: proxy }, { url, settings: { proxyUrl: null } }, ['settings', 'proxyPassword']],
  ])('removes the secret of http by %s', (_, before, after, path) => {
    const { fields, errors } = replaced('http', created('http', before), after);
    expect({ errors, secret: valueAt(fields!, path) ?? null }).toEqual({ errors: undefined, secret: null });
  });

  it.each<[string, object | null]>([
    ['password: null', { username: 'mon', password: null }],
    ['username: null', { username: null }],
    ['settings: null', null],
  ])('removes a password by %s', (_, settings) => {
    const { fields, errors } = replaced('mongodb', created('mongodb', { host, settings: login }), { host, settings });
    expect({ errors, password: valueAt(fields!, ['settings', 'password']) ?? null }).toEqual({ password: null });
  });

  it('keeps a password that belongs to no username', () => {
    const stored = created('redis', { host, settings: { password: SECRET } });
    const { fields } = replaced('redis', stored, { host, settings: { username: null } });
    expect(fields).toMatchObject({ settings: { username: null, password: SECRET } });
  });

  it('keeps no secret of a step with another name', () => {
    const stored = created('sequence', steps(step({ auth: basic })));
    const { fields } = replaced('sequence', stored, steps(step({ name: 'Two' })));
    expect(valueAt(fields!, inStep('auth'))).toBeNull();
  });

  it('does not replace members that are required', () => {
    const stored = created('postgres', { host, settings: login });
    expect(replaced('postgres', stored, { host, settings: {} }).errors).toEqual(['/settings/username required']);
    const sequence = created('sequence', steps(step({ auth: basic })));
    const partial = steps(step({ auth: { type: 'basic', username: 'mon' } }));
    expect(replaced('sequence', sequence, partial).errors).toEqual(['/settings/steps/0/auth/password required']);
  });

  it.each<[string, object, object, string]>([
    ['redis', { host, settings: login }, { host: 'two.example.com' }, '/settings/password'],
    ['http', { url, settings: proxy }, { url, settings: { proxyUrl: 'http://a.b:1' } }, '/settings/proxyPassword'],
    [
      'sequence',
      steps(step({ auth: basic })),
      steps(step({ url: 'https://two.example.com/' })),
      '/settings/steps/0/auth/password',
    ],
  ])('requires an omitted secret of %s %j again for another target', (type, before, after, pointer) => {
    expect(replaced(type, created(type, before), after).errors).toEqual([`${pointer} secret_required`]);
  });
});
