import fc from 'fast-check';
import { DAY_MS } from '../../src/domain/durations.js';
import { type Schema } from './document.js';
import { hinted, mended } from './hints.js';
import { MARKUP } from './marks.js';
import { kindOfReference, type Purpose, secrecyOf } from './purpose.js';

const LONGEST_LIST = 4;
const UUIDS = fc.uuid();
const TEXTS = (['grapheme', 'grapheme-ascii'] as const).map((unit) => fc.string({ unit, maxLength: 40 }));

const arbitraries = new WeakMap<Schema, fc.Arbitrary<unknown>>();

/** Caches arbitraries, which are expensive to create. */
function cached<T>(schema: Schema, make: () => fc.Arbitrary<T>): fc.Arbitrary<T> {
  const known = (arbitraries.get(schema) as fc.Arbitrary<T> | undefined) ?? make();
  arbitraries.set(schema, known);
  return known;
}

/** Draws a value that the schema and, by the hints, the service allow. `name`: the member for which it is drawn. */
export function valueOf(purpose: Purpose, raw: Schema, name = ''): unknown {
  const { dice, document } = purpose;
  const schema = document.resolve(raw);
  const choices = variantsOf(purpose, schema);
  const types = [schema.type].flat().filter((type) => type !== undefined) as string[];
  if (types.includes('null') && (types.length === 1 || dice.chance(0.08))) return null;
  const hint = hinted(purpose, name, schema);
  if (hint !== undefined) return hint;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return dice.pick(schema.enum.filter((one) => one !== null));
  if (choices) return valueOf(purpose, favoured(purpose, choices) ?? dice.pick(choices), name);
  if (Array.isArray(schema.allOf)) return valueOf(purpose, (schema.allOf as Schema[])[0] ?? {}, name);
  switch (dice.pick(types.filter((type) => type !== 'null').concat(types.length === 0 ? ['string'] : []))) {
    case 'object':
      return objectOf(purpose, schema);
    case 'array':
      return listOf(purpose, schema, name);
    case 'integer':
      return dice.of(cached(schema, () => fc.integer(range(schema))));
    case 'number':
      return dice.of(cached(schema, () => fc.double({ ...range(schema), noNaN: true })));
    case 'boolean':
      return dice.chance(0.5);
    default:
      return textOf(purpose, schema, name);
  }
}

/** Returns the variants of a schema; for an existing item, only those of its type. */
function variantsOf({ document, item }: Purpose, { oneOf, anyOf }: Schema): Schema[] | undefined {
  const all = ((oneOf ?? anyOf) as Schema[] | undefined)?.filter(({ type }) => type !== 'null');
  const typeOf = (one: Schema) => (document.resolve(one).properties as Record<string, Schema> | undefined)?.type?.const;
  const fitting = all?.filter((one) => typeOf(one) !== undefined && typeOf(one) === item?.body.type);
  return fitting && fitting.length > 0 ? fitting : all;
}

/** Returns, often, the variant of channels that reach a receiver, and whose secret can be rotated. */
function favoured({ dice, document }: Purpose, variants: readonly Schema[]): Schema | undefined {
  if (!dice.chance(0.4)) return undefined;
  return variants.find((one) => {
    const { type } = (document.resolve(one).properties ?? {}) as Record<string, Schema | undefined>;
    return type?.const === 'webhook';
  });
}

function range({ minimum, maximum }: Schema): { min: number; max: number } {
  return { min: Number(minimum ?? -1_000_000), max: Number(maximum ?? 1_000_000) };
}

function objectOf(purpose: Purpose, schema: Schema): Record<string, unknown> {
  const { dice } = purpose;
  const members = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = new Set((schema.required ?? []) as string[]);
  const optional = dice.pick([0, 0.15, 0.4]);
  const drawn = members.filter(([name]) => required.has(name) || dice.chance(optional));
  const value = Object.fromEntries(drawn.map(([name, one]) => [name, valueOf(purpose, one, name)]));
  return mended(purpose, value);
}

function listOf(purpose: Purpose, { items, minItems, maxItems, uniqueItems }: Schema, name: string): unknown[] {
  const { dice } = purpose;
  const least = Number(minItems ?? 0);
  const length = least + dice.below(Math.min(LONGEST_LIST, Number(maxItems ?? Infinity) - least) + 1);
  const list = Array.from({ length }, () => valueOf(purpose, (items ?? {}) as Schema, name));
  if (uniqueItems !== true && kindOfReference(purpose.document, name) === null) return list;
  return [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];
}

/** Draws a text, with a mark of its team if there is room, to detect it where it must not appear. */
function textOf({ dice, world, team, kind }: Purpose, schema: Schema, name: string): string {
  const { minLength, maxLength, pattern, format, example, writeOnly } = schema;
  if (format === 'uuid') return dice.of(UUIDS);
  if (format === 'date-time') return new Date(Date.now() + dice.pick([1, 30, 400]) * DAY_MS).toISOString();
  if (format === 'date') return new Date(Date.now() - dice.below(400) * DAY_MS).toISOString().slice(0, 10);
  if (typeof pattern === 'string') return dice.of(cached(schema, () => fc.stringMatching(new RegExp(pattern))));
  const most = Math.min(Number(maxLength ?? 300), 3_000);
  const mark = world.marks.next(team, secrecyOf(kind, name, writeOnly === true));
  if (mark.length > most) {
    return dice.of(cached(schema, () => fc.string({ minLength: Number(minLength ?? 0), maxLength: most })));
  }
  const rest = dice.weighted([
    [12, () => String(typeof example === 'string' ? example : '')],
    [7, () => dice.of(dice.pick(TEXTS))],
    [1, () => MARKUP],
  ])();
  return `${rest} ${mark}`.slice(-most);
}
