import { describe, expect, it } from '@jest/globals';
import { MASK } from '../../../domain/mask.js';
import { mapSecrets } from '../../../domain/secret-members.js';
import { probeOf } from '../../../probes/index.js';
import { readDefinition, type WriteOutcome } from './monitor-write.js';

const LIMITS = { minIntervalSeconds: 1, locations: ['default'], refusesHost: () => false };
const NOW_MS = Date.parse('2026-03-01T12:00:00Z');

function read(type: string, fields: object, stored: { type: string; fields: object } | null = null): WriteOutcome {
  return readDefinition({ name: 'A', type, ...fields }, LIMITS, stored, NOW_MS);
}

const url = 'https://example.com/';
const http = (headers: object, secretHeaders: string[] = []): object => ({ url, headers, secretHeaders });
const websocket = (headers: object, secretHeaders?: string[]): object => ({
  ...http(headers, secretHeaders),
  url: 'wss://example.com/',
});
const sequence = (headers: object, secretHeaders?: string[]): object => ({
  settings: {
    steps: [
      { name: 'Zero', url },
      { name: 'One', ...http(headers, secretHeaders) },
    ],
  },
});
const grpc = (metadata: object): object => ({ host: 'example.com', port: 1, settings: { metadata } });

/** A type, what is stored, what is written with masks in its place, and where a mask has no stored secret. */
const WITHOUT_SECRET: [string, string, object, object, string][] = [
  ['http', 'is no longer marked', http({ 'x-a': 's' }, ['x-a']), http({ 'x-a': MASK }), '/headers/x-a'],
  ['http', 'has another name', http({ Cookie: 's' }), http({ 'X-Cook': MASK }), '/headers/X-Cook'],
  ['http', 'has another secret name', http({ Cookie: 's' }), http({ 'X-Api-Key': MASK }), '/headers/X-Api-Key'],
  ['websocket', 'is no longer marked', websocket({ a: 's' }, ['a']), websocket({ a: MASK }), '/headers/a'],
  [
    'sequence',
    'is no longer marked',
    sequence({ a: 's' }, ['a']),
    sequence({ a: MASK }),
    '/settings/steps/1/headers/a',
  ],
  ['sequence', 'has another name', sequence({ Cookie: 's' }), sequence({ b: MASK }), '/settings/steps/1/headers/b'],
  ['grpc', 'has another name', grpc({ token: 's' }), grpc({ 'x-tenant': MASK }), '/settings/metadata/x-tenant'],
];

describe('readDefinition', () => {
  it.each(WITHOUT_SECRET)('rejects a mask of %s that %s', (type, _, before, after, pointer) => {
    const stored = { type, fields: read(type, before).definition!.fields };
    const expected = [{ pointer, code: 'secret_required', detail: expect.any(String) }];
    expect(read(type, after, stored).errors).toEqual(expected);
    expect(read(type, after).errors).toEqual(expected);
  });

  it.each(WITHOUT_SECRET)('accepts the masks of %s that is unchanged (%s)', (type, _, before) => {
    const { fields } = read(type, before).definition!;
    // Copies of another realm are not plain objects to the validators.
    const shown = JSON.parse(JSON.stringify(mapSecrets(probeOf(type), fields, () => MASK))) as object;
    expect(shown).not.toEqual(fields);
    expect(read(type, shown, { type, fields }).definition?.fields).toEqual(fields);
  });

  it('accepts the text of the mask where there are no secrets', () => {
    const assertions = [{ source: 'textBody', comparison: 'contains', target: MASK }];
    expect(read('http', { url, method: 'POST', body: MASK, assertions }).errors).toEqual([]);
  });
});
