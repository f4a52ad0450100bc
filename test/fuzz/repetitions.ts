import { masked } from './compare.js';
import { type FuzzAnswer, headersOf } from './exchange.js';
import { maybe, type Outcome, PASSES, refused, type Setting, type Verdict } from './verdict.js';
import { type Json } from './world.js';

/** The kind under which pending writes with an idempotency key are recorded. */
export const REPETITION_KIND = 'Idempotency-Key';

/** Returns the `Idempotency-Key` of a POST with an API key; `null` if there is none, `undefined` if it is invalid. */
export function idempotencyKeyOf({ operation, request }: Setting['reading']): string | null | undefined {
  const given = headersOf(request, 'idempotency-key').map((value) => value.replace(/^[\t ]+|[\t ]+$/g, ''));
  if (operation?.method !== 'POST' || operation.scope === null || given.length === 0) return null;
  return given.length === 1 && /^[\x20-\x7e]{1,255}$/.test(given[0]!) ? given[0] : undefined;
}

/** Judges the `Idempotency-Key` of a request. */
export function judgeRepetition(setting: Setting): Verdict {
  const { world, reading, number } = setting;
  const key = idempotencyKeyOf(reading);
  const { credentials } = reading;
  if (key === null || credentials.is !== 'known') return PASSES;
  if (key === undefined) return refused(400, 'invalid_request');
  const { team } = credentials.secret.item;
  const known = world.kept.find(team, key);
  const again: Outcome[] = known ? [{ status: known.answer.status }] : [];
  if (!world.isPlaceSteady(number, REPETITION_KIND, team, key)) {
    return maybe(
      ...again,
      { status: 409, codes: ['idempotency_in_flight'] },
      { status: 422, codes: ['idempotency_key_reused'] },
    );
  }
  if (!known) return PASSES;
  if (known.fingerprint !== fingerprintOf(setting)) return refused(422, 'idempotency_key_reused');
  return { is: 'refused', outcomes: again };
}

/** Returns how a successful repetition differs from the first response, and wrong or missing replay headers. */
export function repetitionFaults(setting: Setting, answer: FuzzAnswer): string[] {
  const { world, reading } = setting;
  const key = idempotencyKeyOf(reading);
  const isReplay = 'idempotent-replayed' in answer.headers;
  const { credentials } = reading;
  if (answer.status >= 300) return isReplay ? [`a ${answer.status} was replayed`] : [];
  if (typeof key !== 'string' || credentials.is !== 'known') return isReplay ? ['replayed without a key'] : [];
  const known = world.kept.find(credentials.secret.item.team, key);
  if (!known) return [];
  if (!isReplay) return ['a repetition was executed again'];
  const { location } = known.answer.headers;
  if (answer.headers.location !== location) return [`Location ${answer.headers.location} instead of ${location}`];
  const first = masked(asRepeated(known.answer.body));
  const again = masked(sorted(answer.body));
  return first === again ? [] : [`${again} instead of ${first}`];
}

/** Records the first successful response of a key in the model. */
export function learnRepetition(setting: Setting, answer: FuzzAnswer): void {
  const { world, reading } = setting;
  const key = idempotencyKeyOf(reading);
  const { credentials, request } = reading;
  if (typeof key !== 'string' || credentials.is !== 'known' || answer.status >= 300) return;
  const { team } = credentials.secret.item;
  if (world.kept.find(team, key)) return;
  world.kept.add({ team, key, fingerprint: fingerprintOf(setting), request, answer });
}

/** Returns what identifies a repetition. `self` is a different resource for each API key. */
function fingerprintOf({ reading: { request, body, credentials, operation } }: Setting): string {
  const isSelf = operation?.template.includes('/self') && credentials.is === 'known';
  const value = body.is === 'json' ? JSON.stringify(body.value) : body.is;
  return [request.target.replace(/^([^?]*)\?$/, '$1'), value, isSelf ? credentials.secret.item.id : ''].join('\n');
}

/** What a replay does not repeat: secrets, and addresses, which are not kept once a subscriber is deleted. */
const NOT_REPEATED = ['secret', 'email'];

/** Returns the body of a replay. */
function asRepeated(body: unknown): string {
  const members = NOT_REPEATED.filter((name) => typeof (body as Json | null)?.[name] === 'string');
  if (members.length === 0) return sorted(body);
  return sorted({ ...(body as Json), ...Object.fromEntries(members.map((name) => [name, null])) });
}

/** Serialises a value with sorted members. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
