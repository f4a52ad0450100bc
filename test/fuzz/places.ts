import { itemAt } from './addresses.js';
import { isShared } from './document.js';
import { headersOf } from './exchange.js';
import { SHARED_ADDRESS } from './paths.js';
import { maybe, type Outcome, PASSES, refused, type Setting, type Verdict } from './verdict.js';
import { type Place, takesKey } from './reading.js';
import { type Item, mayDo } from './world.js';

const MISSING: Outcome = { status: 404, codes: ['not_found'] };
const EVENTS = '/v1/events';
const GONE = refused(404, 'not_found');
const STAYS_READABLE = /\/(api-keys|exclusions)$/;
const WORST_SLUG = /^[a-z0-9-]{1,63}$/;

/** Judges a variable of the path: 404 unless it identifies something of the caller's team. */
export function judgePlace(setting: Setting, place: Place, index: number): Verdict {
  const { reading } = setting;
  if (reading.operation!.scope === null)
    return place.name === 'slug' ? publicPage(setting, place) : maybe({ status: 404 });
  if (reading.credentials.is !== 'known') return PASSES;
  if (index > 0) return child(setting, place);
  if (isShared(place.kind)) return place.text === SHARED_ADDRESS ? PASSES : maybe(MISSING);
  const item = named(setting, place);
  if (item === 'unsteady') return maybe(MISSING);
  // PUT creates an item for an unused key.
  const makes = reading.operation!.method === 'PUT' && place.address !== null && 'key' in place.address;
  if (!item) return makes ? PASSES : GONE;
  const life = setting.world.lifeOf(item, setting.span);
  if (life === 'live') {
    // Some events are shown only to keys with the scope `admin`.
    return place.kind === EVENTS && !mayDo(reading.credentials.secret.item, 'admin') ? maybe(MISSING) : PASSES;
  }
  // Revoked keys and deleted exclusions remain readable.
  if (STAYS_READABLE.test(place.kind) && life === 'gone' && reading.operation!.name === `GET ${place.kind}/{id}`) {
    return PASSES;
  }
  return life === 'gone' ? GONE : maybe(MISSING);
}

/** Returns the caller's item at a place, as far as is known. */
export function named({ world, reading, number }: Setting, place: Place): Item | null | 'unsteady' {
  const { credentials, operation } = reading;
  const byKey = place.address !== null && 'key' in place.address;
  if (credentials.is !== 'known' || (byKey && !takesKey(operation!, place))) return null;
  return itemAt(world, number, credentials.secret.item.team, place.kind, place.address);
}

/** Judges a child of an item. A known child may not exist yet, and an unknown one may exist. */
function child({ world, reading }: Setting, place: Place): Verdict {
  const known = [...world.items.values()].some(({ children }) => children.get(place.kind)?.includes(place.text));
  return known || /^[A-Za-z0-9_-]{8,100}$/.test(place.text) || reading.places.length > 2 ? maybe(MISSING) : GONE;
}

function publicPage({ world, number, span, reading }: Setting, place: Place): Verdict {
  const slug = place.text;
  if (!WORST_SLUG.test(slug)) return refused(404);
  const kind = '/v1/status-pages';
  const asks: Outcome[] = [{ status: 401 }, { status: 429 }];
  if (!world.isKindSteady(number, kind, null)) return maybe({ status: 404 }, ...asks);
  const all = [...world.of(kind, null), ...world.of(kind, null, 'unsure')];
  const page = all.find(({ body }) => body.slug === slug);
  if (!page) return all.some((one) => one.muddled) ? maybe({ status: 404 }, ...asks) : refused(404);
  if (page.muddled || world.lifeOf(page, span) !== 'live') return maybe({ status: 404 }, ...asks);
  if (page.body.published === false) return refused(404);
  if (page.body.accessType !== 'password') return PASSES;
  const given = headersOf(reading.request, 'authorization')[0] ?? '';
  if (!/^basic /i.test(given)) return refused(401);
  const right = page.password !== null && given === basic(page.password);
  return right || page.password === null ? maybe(...asks) : { is: 'refused', outcomes: asks };
}

/** Returns HTTP Basic credentials with this password, as drawn requests send them. */
export function basic(password: string): string {
  return `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`;
}
