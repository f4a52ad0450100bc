import { headersOf } from './exchange.js';
import { named } from './places.js';
import { maybe, PASSES, refused, type Setting, type Verdict } from './verdict.js';
import { type Item } from './world.js';

const FAILED = { status: 412, codes: ['precondition_failed'] };

/** Judges `If-Match` of a write. `If-None-Match` may require that the item does not exist yet. */
export function judgePrecondition(setting: Setting): Verdict {
  const { operation, request } = setting.reading;
  const [wanted, ...more] = headersOf(request, 'if-match').map((value) => value.trim());
  const unwanted = headersOf(request, 'if-none-match').length > 0;
  if (!operation!.responses.has(412) || (wanted === undefined && !unwanted)) return PASSES;
  if (unwanted || more.length > 0) return maybe(FAILED);
  const revision = currentRevision(setting);
  if (revision === undefined) return maybe(FAILED);
  if (wanted === '*') return revision === null ? refused(412, ...FAILED.codes) : PASSES;
  const [, named] = /^"(\d+)\.\d+"$/.exec(wanted!) ?? [];
  if (named !== undefined) return Number(named) === revision ? PASSES : refused(412, ...FAILED.codes);
  // A list may contain the tag; a weak tag never matches.
  return /^W\/"[^"]*"$/.test(wanted!) || !wanted!.includes('"') ? refused(412, ...FAILED.codes) : maybe(FAILED);
}

/** Returns the current revision of the written item; `null`: there is no item; `undefined`: unknown. */
function currentRevision(setting: Setting): number | null | undefined {
  const { reading, world, number, span } = setting;
  const [place] = reading.places;
  if (reading.credentials.is !== 'known') return undefined;
  const self = reading.credentials.secret.item;
  const itself = world.isSteady(number, self) ? self : 'unsteady';
  const item: Item | null | 'unsteady' = place ? named(setting, place) : itself;
  if (item === 'unsteady') return undefined;
  if (item === null) return null;
  const { revision } = item.body;
  return world.lifeOf(item, span) === 'live' && typeof revision === 'number' ? revision : undefined;
}
