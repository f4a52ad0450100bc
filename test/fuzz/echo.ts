import { type FuzzAnswer } from './exchange.js';
import { named } from './places.js';
import { type Setting } from './verdict.js';
import { type Item, type Json } from './world.js';

const MASK = '********';
/** A write changes them, whatever it says. */
const OF_THE_WRITE = new Set([
  'revision',
  'updatedAt',
  'status',
  'verifying',
  'statusSince',
  'nextCheckAt',
  'lastError',
  'lastCheckAt',
]);
/** Shown in lower case. */
const FOLDED = new Set(['accentColor']);

/** What an accepted write says and its answer shows otherwise. */
export function echoFaults({ reading }: Setting, { status, body, headers }: FuzzAnswer): string[] {
  const { operation } = reading;
  const writes = operation && ['POST', 'PUT', 'PATCH'].includes(operation.method);
  if (!writes || status >= 300 || reading.body.is !== 'json' || 'idempotent-replayed' in headers) return [];
  const shown = (body ?? {}) as Json;
  return Object.entries(reading.body.value as Json).flatMap(([name, sent]) => {
    const said = FOLDED.has(name) && typeof sent === 'string' ? sent.toLowerCase() : sent;
    if (!(name in shown) || sent === null || isEqual(said, shown[name])) return [];
    return [`${name}: ${JSON.stringify(sent).slice(0, 200)} became ${JSON.stringify(shown[name]).slice(0, 200)}`];
  });
}

function isEqual(sent: unknown, shown: unknown): boolean {
  if (JSON.stringify(sent) === JSON.stringify(shown) || shown === MASK) return true;
  if (typeof sent === 'string' && typeof shown === 'string') return Date.parse(sent) === Date.parse(shown);
  // Defaults are filled in, and secrets masked, below; patches speak of some members alone.
  return typeof sent === 'object' && typeof shown === 'object';
}

/**
 * Whether a write says exactly what was read of the item as its definition and still is so: it must be accepted. Of
 * one that names parents that is not known: a name may have come to mean another one.
 */
export function isReadBack(setting: Setting): boolean {
  const item = readBack(setting);
  return (
    item !== null &&
    !(item.definition?.body.parentIds as unknown[] | undefined)?.length &&
    JSON.stringify(setting.reading.body) === JSON.stringify({ is: 'json', value: item.definition?.body })
  );
}

function readBack(setting: Setting): Item | null {
  const { reading } = setting;
  const [place] = reading.places;
  if (reading.operation?.method !== 'PUT' || !place) return null;
  const item = named(setting, place);
  return item && item !== 'unsteady' && item.definition?.revision === item.body.revision ? item : null;
}

/** What writing back has changed. */
export function readBackFaults(setting: Setting, { status, body }: FuzzAnswer): string[] {
  if (status !== 200 || !isReadBack(setting)) return [];
  const before = readBack(setting)!.body;
  return Object.entries(body as Json).flatMap(([name, value]) =>
    OF_THE_WRITE.has(name) || JSON.stringify(value) === JSON.stringify(before[name])
      ? []
      : [`${name}: ${JSON.stringify(before[name])} became ${JSON.stringify(value)}`],
  );
}
