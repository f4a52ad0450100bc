import { BULK, learnBulk } from './bulk.js';
import { differences, isAlike } from './compare.js';
import { listOf } from './cursors.js';
import { type FuzzAnswer } from './exchange.js';
import { madeElsewhere } from './incidents.js';
import { type Fault } from './judge.js';
import { named } from './places.js';
import { noteShown } from './published.js';
import { type Setting } from './verdict.js';
import { type Item, type Json } from './world.js';

/** Updates the model by a response. Returns the contradictions to the model. */
export function learn(setting: Setting, answer: FuzzAnswer): Fault[] {
  const { reading, world } = setting;
  const { operation, credentials } = reading;
  if (!operation || operation.scope === null || credentials.is !== 'known' || answer.status >= 300) return [];
  if (answer.headers['idempotent-replayed'] !== undefined) return [];
  const { team } = credentials.secret.item;
  const body = (answer.body ?? {}) as Json;
  rememberCursor(setting, answer, body);
  if (operation.template.endsWith('/definition')) {
    rememberDefinition(setting, answer, body);
    return [];
  }
  if (operation.template === BULK) {
    learnBulk(world, reading, body);
    return [];
  }
  const place = reading.places[0];
  const isBelow = reading.places.length > 1 || (place && !operation.template.endsWith(`{${place.name}}`));
  if (isBelow) learnChild(setting, body);
  if (reading.request.method === 'HEAD' || typeof body.id !== 'string') {
    if (operation.method === 'DELETE' && !isBelow) remove(setting);
    return [];
  }
  const elsewhere = madeElsewhere(operation.template);
  const kind = elsewhere ?? place?.kind ?? (answer.status === 201 ? operation.template : null);
  if (kind === null && !operation.template.includes('/self')) return [];
  const known = world.items.get(body.id);
  const faults = known ? update(setting, known, body) : [];
  // What a POST below an item creates is usually its child, which was learned above.
  const isMade = place && elsewhere === null ? operation.method === 'PUT' : answer.status === 201;
  const item = known ?? (isMade && kind !== null ? world.add(kind, team, body) : null);
  if (item) noteShown(world, item);
  if (item && answer.headers.etag !== undefined) rememberTag(item, answer.headers.etag);
  if (item?.kind === '/v1/api-keys' && typeof body.secret === 'string') learnSecret(setting, item, body);
  const sent = reading.body.is === 'json' ? (reading.body.value as Json) : {};
  if (item && typeof sent?.password === 'string') item.password = sent.password;
  return faults;
}

function update(setting: Setting, item: Item, body: Json): Fault[] {
  const { world, number, reading } = setting;
  const steady = world.isSteady(number, item);
  // Other representations contain no information about the item.
  if (!isAlike(item.body, body)) return [];
  if (!steady && !('revision' in body)) {
    item.muddled = true;
    if (reading.operation?.method === 'GET') return [];
  }
  const before = Number(item.body.revision ?? 0);
  const after = Number(body.revision ?? 0);
  if (after < before) {
    return steady ? [{ rule: 'model', detail: `revision ${after} of ${item.kind} after ${before}` }] : [];
  }
  const changed = after === before && 'revision' in body ? differences(setting, item, body) : [];
  item.body = { ...body };
  delete item.body.secret;
  const detail = `${changed.join(', ')} of ${item.kind} changed while its revision stayed ${after}`;
  return changed.length > 0 ? [{ rule: 'model', detail }] : [];
}

function remove(setting: Setting): void {
  const place = setting.reading.places[0];
  if (!place) return;
  const { world, number } = setting;
  if (place.address && 'id' in place.address) {
    const item = world.items.get(place.address.id);
    if (item) item.life = 'gone';
    return;
  }
  const item = named(setting, place);
  if (item && item !== 'unsteady') {
    item.life = 'gone';
    return;
  }
  // Which item was deleted is unknown until the items are listed. Concurrent writes may have changed its key before.
  const { credentials } = setting.reading;
  if (credentials.is !== 'known' || !place.address || !('key' in place.address)) return;
  for (const one of world.of(place.kind, credentials.secret.item.team)) {
    if (one.body.key === place.address.key || !world.isSteady(number, one)) one.life = 'unsure';
  }
}

/** Records a new secret, which ends the earlier ones, except the one in the response, which has an overlap. */
function learnSecret({ world, number }: Setting, item: Item, body: Json): void {
  const formers = [...world.secrets.values()].filter((one) => one.item === item);
  const secret = world.addSecret(String(body.secret), item);
  const steady = world.isSteady(number, item);
  if (!steady) secret.validUntil = NaN;
  const { previousPrefix: prefix, previousExpiresAt: end } = body;
  for (const one of formers) {
    const stays = typeof prefix === 'string' && one.text.startsWith(prefix);
    one.validUntil = steady ? (stays ? Date.parse(String(end)) : 0) : NaN;
  }
}

function learnChild({ reading, world, document }: Setting, body: Json): void {
  const [place] = reading.places;
  if (!place?.address || !('id' in place.address)) return;
  const item = world.items.get(place.address.id);
  const kind = reading.operation!.template;
  if (!item || !document.isKind(kind)) return;
  const found = Array.isArray(body.data) ? (body.data as Json[]) : [body];
  const known = item.children.get(kind) ?? [];
  const fresh = found.flatMap(({ id }) => (typeof id === 'string' && !known.includes(id) ? [id] : []));
  item.children.set(kind, [...known, ...fresh].slice(-10));
}

function rememberCursor(setting: Setting, { status }: FuzzAnswer, body: Json): void {
  const { reading, world } = setting;
  if (status !== 200 || typeof body.nextCursor !== 'string' || reading.credentials.is !== 'known') return;
  const query = [...reading.query]
    .filter(([name]) => name !== 'cursor')
    .flatMap(([name, values]) => values.map((value) => `${name}=${encodeURIComponent(value)}`));
  const { team } = reading.credentials.secret.item;
  const list = listOf(setting);
  world.remember({ team, list, path: reading.path, query: query.join('&'), cursor: body.nextCursor });
}

/** Records a definition with the revision of its entity tag, which determines whether it is still current. */
function rememberDefinition(setting: Setting, { headers }: FuzzAnswer, body: Json): void {
  const [place] = setting.reading.places;
  const item = place ? named(setting, place) : null;
  const [, revision] = /^"(\d+)\./.exec(headers.etag ?? '') ?? [];
  if (item && item !== 'unsteady' && revision) item.definition = { revision: Number(revision), body };
}

function rememberTag(item: Item, tag: string): void {
  if (!item.tags.includes(tag)) item.tags = [...item.tags, tag].slice(-5);
}
