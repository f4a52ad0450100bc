import { itemAt } from './addresses.js';
import { type Reading } from './reading.js';
import { type Item, type Json, type World } from './world.js';

const WINDOWS = '/v1/maintenance-windows';

/** Returns the texts that a write makes public if it is accepted, including those of the known item. */
type Told = (sent: Json, reading: Reading, item: Item | null | 'unsteady') => unknown[];

const TOLD: Readonly<Record<string, Told>> = {
  '/v1/incidents': (sent) => [sent, sent.update].map((update) => toldOf(update as Json | null | undefined)),
  [WINDOWS]: toldOfWindow,
};

/**
 * Records which texts of a request status pages may show. Must be called before the request is sent, because a page
 * that is read concurrently may show them before the response arrives.
 */
export function notePublished(world: World, number: number, reading: Reading): void {
  const { places, operation, body, credentials } = reading;
  const [place] = places;
  const told = TOLD[place?.kind ?? operation?.template ?? ''];
  const sent = body.is === 'json' ? body.value : null;
  if (!told || typeof sent !== 'object' || sent === null || credentials.is !== 'known') return;
  const { team } = credentials.secret.item;
  const item = place ? itemAt(world, number, team, place.kind, place.address) : null;
  for (const text of told(sent as Json, reading, item)) if (typeof text === 'string') world.marks.publish(text);
}

/** Returns the text of a public update; null if it is private, explicitly or because it is a note. */
function toldOf(update: Json | null | undefined): unknown {
  const { text, public: isPublic, phase } = update ?? {};
  return (isPublic ?? (phase ?? 'note') !== 'note') === true ? text : null;
}

/** Returns the texts of a public window. Windows are public by default; a patch without `public` does not change it. */
function toldOfWindow(sent: Json, { operation }: Reading, item: Item | null | 'unsteady'): unknown[] {
  const known = item === 'unsteady' ? null : item?.body;
  const stays = operation?.method === 'PATCH' && !('public' in sent);
  const isPublic = (stays ? known?.public : sent.public) ?? true;
  return isPublic === true ? [sent.name, sent.description, known?.name, known?.description, known?.id] : [];
}

/** Records the id of a public window, which is known only from a response. */
export function noteShown(world: World, { kind, id, body }: Item): void {
  if (kind === WINDOWS && body.public === true) world.marks.publish(id);
}
