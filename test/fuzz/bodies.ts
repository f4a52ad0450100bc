import fc from 'fast-check';
import { deflateSync, gzipSync } from 'node:zlib';
import { type Dice } from './dice.js';
import { type Operation } from './document.js';
import { asJson, mutated } from './mutations.js';
import { type Purpose } from './purpose.js';
import { valueOf } from './values.js';
import { type Json } from './world.js';

/** A body and the headers that describe it. */
export interface DrawnBody {
  body: Buffer | null;
  headers: [name: string, value: string][];
}

const GARBAGE = fc.uint8Array({ maxLength: 200 });
const JSON_TYPE = 'application/json';

/** How a body deviates from the document: not at all, in its values, or in its bytes and their description. */
export type Oddity = 'none' | 'values' | 'bytes';

/** Draws a body for an operation, or none if it accepts none. */
export function drawBody(purpose: Purpose, operation: Operation, oddity: Oddity): DrawnBody {
  const { dice } = purpose;
  if (!['POST', 'PUT', 'PATCH'].includes(operation.method)) {
    return oddity === 'none' ? absent() : sent('{"name":1}', JSON_TYPE);
  }
  if (oddity === 'none' && !operation.body) return dice.chance(0.7) ? absent() : sent('{}', JSON_TYPE);
  if (oddity === 'none' && !operation.body!.required && dice.chance(0.3)) return absent();
  let value = validValue(purpose, operation);
  if (oddity === 'values')
    for (let left = dice.pick([1, 1, 1, 2, 3]); left > 0; left -= 1) value = mutated(dice, value);
  const types = operation.body?.mediaTypes ?? [JSON_TYPE];
  if (oddity !== 'bytes') return sent(asJson(value), dice.pick(types));
  return dice.pick(BYTES)(dice, asJson(value));
}

function validValue(purpose: Purpose, { body, method }: Operation): unknown {
  const { dice, item } = purpose;
  if (!body) return {};
  if (body.examples.length > 0 && dice.chance(0.05)) return dice.pick(body.examples);
  if (method !== 'PUT') return valueOf(purpose, body.schema);
  // Writes the definition back as it was read.
  if (item?.definition && dice.chance(0.3)) return item.definition.body;
  const value = valueOf(purpose, body.schema) as Json;
  // The address contains the key.
  if (dice.chance(0.9)) delete value.key;
  return value;
}

const absent = (): DrawnBody => ({ body: null, headers: [] });

const sent = (body: string | Buffer, type: string | null, ...headers: [string, string][]): DrawnBody => ({
  body: Buffer.from(body as string),
  headers: [...(type === null ? [] : [['Content-Type', type] as [string, string]]), ...headers],
});

const gzip = (body: Buffer, encoding = 'gzip'): DrawnBody => sent(body, JSON_TYPE, ['Content-Encoding', encoding]);

/** Bodies with unusual bytes or headers. Some of them are valid. */
const BYTES: readonly ((dice: Dice, json: string) => DrawnBody)[] = [
  (_, json) => sent(json.slice(0, -1), JSON_TYPE),
  (_, json) => sent(`${json}}`, JSON_TYPE),
  (_, json) => sent(json.replace('{', '{,'), JSON_TYPE),
  (_, json) => sent(json.replaceAll('"', "'"), JSON_TYPE),
  (_, json) => sent(`/* */${json}`, JSON_TYPE),
  (_, json) => sent(`\ufeff${json}`, JSON_TYPE),
  (_, json) => sent(` \r\n\t${json}\n`, JSON_TYPE),
  (_, json) => sent(json.replace('{', '{"name":"twice","name":5,'), JSON_TYPE),
  (_, json) => sent(json.replace('{', '{"__proto__":{"a":1},'), JSON_TYPE),
  (_, json) => sent(json.replace('{', '{"a":NaN,'), JSON_TYPE),
  (_, json) => sent(json.replace('{', '{"\\ud800":"\\udfff",'), JSON_TYPE),
  (dice) => sent(dice.pick(['null', '[]', '""', '5', 'true', '[{}]', '"{}"', '1e400', 'undefined', ' ']), JSON_TYPE),
  (dice) => sent(Buffer.from(dice.of(GARBAGE)), JSON_TYPE),
  (_, json) => sent(Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0xff, 0x22, 0x7d])]), JSON_TYPE),
  (_, json) => sent(Buffer.from(json, 'utf16le'), 'application/json; charset=utf-16'),
  (_, json) => sent(Buffer.from(json, 'latin1'), 'application/json;charset=iso-8859-1'),
  (dice, json) => sent(json, dice.pick(TYPES)),
  (_, json) => sent(json, null),
  (_, json) => gzip(gzipSync(json)),
  (_, json) => gzip(gzipSync(json), 'GZIP'),
  (dice, json) => gzip(gzipSync(json).subarray(0, 12 + dice.below(10))),
  (_, json) => gzip(Buffer.from(json)),
  () => gzip(gzipSync(Buffer.alloc(4_000_000, ' '))),
  () => gzip(gzipSync('')),
  (dice, json) => gzip(deflateSync(json), dice.pick(['deflate', 'br', 'gzip, gzip', 'x', ''])),
  (dice) => sent(`{"name":"${'x'.repeat(dice.pick([262_130, 262_200, 300_000]))}"}`, JSON_TYPE),
  (dice) => sent(`${'['.repeat(dice.pick([32, 33, 50_000]))}`, JSON_TYPE),
  (dice) => sent(`${'{"a":'.repeat(dice.pick([32, 33, 10_000]))}`, JSON_TYPE),
  () => sent(`[${'{},'.repeat(60_000)}{}]`, JSON_TYPE),
  () => sent(`{${Array.from({ length: 5_000 }, (_, index) => `"n${index}":${index}`).join(',')}}`, JSON_TYPE),
];

const TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'x',
  'application/json; charset=utf-8',
  'APPLICATION/JSON;charset="UTF-8"',
  'application/json; charset=latin1',
  '',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/problem+json',
  'application/json5',
  'application/json, text/plain',
  ' application/json',
  'application/json;',
  'application/json; version=2',
];
