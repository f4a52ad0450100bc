import { type FuzzAnswer } from './exchange.js';
import { named } from './places.js';
import { type Setting } from './verdict.js';
import { type Item, type Json } from './world.js';

const MASK = '********';
/** Members that a write changes regardless of its content. */
const OF_THE_WRITE = new Set([
  'revision',
  'updatedAt',
  'status',
  'verifying',
  'confirming',
  'statusSince',
  'nextCheckAt',
  'lastError',
  'certificate',
  'registration',
  'lastCheckAt',
  'notified',
]);
/** Members returned in lower case. */
const FOLDED = new Set(['accentColor']);

/** Returns the members of an accepted write whose values differ in the response. */
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
  // In nested objects, defaults are filled in and secrets are masked; patches contain only some members.
  return typeof sent === 'object' && typeof shown === 'object';
}

/**
 * Returns whether a write repeats exactly the definition that was read and is still current, so that it must be
 * accepted. Returns false for a definition with parents, because a key may refer to another monitor by now, and for one
 * without monitors, because the last one may have been deleted.
 */
export function isReadBack(setting: Setting): boolean {
  const item = readBack(setting);
  return (
    item !== null &&
    !(item.definition?.body.parentIds as unknown[] | undefined)?.length &&
    (item.definition?.body.monitorIds as unknown[] | undefined)?.length !== 0 &&
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

/** Returns the members that changed although the definition was written back unchanged. */
export function readBackFaults(setting: Setting, { status, body }: FuzzAnswer): string[] {
  if (status !== 200 || !isReadBack(setting)) return [];
  const before = readBack(setting)!.body;
  return Object.entries(body as Json).flatMap(([name, value]) =>
    OF_THE_WRITE.has(name) || JSON.stringify(value) === JSON.stringify(before[name])
      ? []
      : [`${name}: ${JSON.stringify(before[name])} became ${JSON.stringify(value)}`],
  );
}
