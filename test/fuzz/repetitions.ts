import { type FuzzAnswer, headersOf } from './exchange.js';
import { maybe, type Outcome, PASSES, refused, type Setting, type Verdict } from './verdict.js';
import { type Json } from './world.js';

/** What writes with one key count as, for what runs at the same time. */
export const REPETITION_KIND = 'Idempotency-Key';

/** The `Idempotency-Key` of a POST under an API key; `null` where there is none, `undefined` where it is none. */
export function idempotencyKeyOf({ operation, request }: Setting['reading']): string | null | undefined {
  const given = headersOf(request, 'idempotency-key').map((value) => value.replace(/^[\t ]+|[\t ]+$/g, ''));
  if (operation?.method !== 'POST' || operation.scope === null || given.length === 0) return null;
  return given.length === 1 && /^[\x20-\x7e]{1,255}$/.test(given[0]!) ? given[0] : undefined;
}

/** What an `Idempotency-Key` makes of a request. */
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

/** How a repetition that succeeds differs from the first answer, and how it is not told from it. */
export function repetitionFaults(setting: Setting, answer: FuzzAnswer): string[] {
  const { world, reading } = setting;
  const key = idempotencyKeyOf(reading);
  const isReplay = 'idempotent-replayed' in answer.headers;
  const { credentials } = reading;
  if (answer.status >= 300) return isReplay ? [`a ${answer.status} was replayed`] : [];
  if (typeof key !== 'string' || credentials.is !== 'known') return isReplay ? ['replayed without a key'] : [];
  const known = world.kept.find(credentials.secret.item.team, key);
  if (!known) return [];
  if (!isReplay) return ['a request ran twice'];
  const { location } = known.answer.headers;
  if (answer.headers.location !== location) return [`Location ${answer.headers.location} instead of ${location}`];
  const [first, again] = [withoutSecret(known.answer.body), sorted(answer.body)];
  return first === again ? [] : [`${again} instead of ${first}`];
}

/** Takes the first success of a key into the model. */
export function learnRepetition(setting: Setting, answer: FuzzAnswer): void {
  const { world, reading } = setting;
  const key = idempotencyKeyOf(reading);
  const { credentials, request } = reading;
  if (typeof key !== 'string' || credentials.is !== 'known' || answer.status >= 300) return;
  const { team } = credentials.secret.item;
  if (world.kept.find(team, key)) return;
  world.kept.add({ team, key, fingerprint: fingerprintOf(setting), request, answer });
}

/** `self` is another resource for each key. */
function fingerprintOf({ reading: { request, body, credentials, operation } }: Setting): string {
  const isSelf = operation?.template.includes('/self') && credentials.is === 'known';
  const value = body.is === 'json' ? JSON.stringify(body.value) : body.is;
  return [request.target.replace(/^([^?]*)\?$/, '$1'), value, isSelf ? credentials.secret.item.id : ''].join('\n');
}

/** A secret is shown once. */
function withoutSecret(body: unknown): string {
  const hasSecret = typeof (body as Json | null)?.secret === 'string';
  return sorted(hasSecret ? { ...(body as Json), secret: null } : body);
}

/** Members of objects come in any order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
