import { itemAt } from './addresses.js';
import { type Reading } from './reading.js';
import { type Item, type Json, type World } from './world.js';

const WINDOWS = '/v1/maintenance-windows';

/** The texts that a write makes public where it is accepted; of an item that is known. */
type Told = (sent: Json, reading: Reading, item: Item | null | 'unsteady') => unknown[];

const TOLD: Readonly<Record<string, Told>> = {
  '/v1/incidents': (sent) => [sent, sent.update].map((update) => toldOf(update as Json | null | undefined)),
  [WINDOWS]: toldOfWindow,
};

/**
 * Notes which texts of a request status pages may show: the request itself says so. Must be called before it is sent, for
 * a page that is read at the same time may show them before their own answer is there.
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

/** An update is for the team alone where it says so, or says nothing and is a note. */
function toldOf(update: Json | null | undefined): unknown {
  const { text, public: isPublic, phase } = update ?? {};
  return (isPublic ?? (phase ?? 'note') !== 'note') === true ? text : null;
}

/** A window is for everybody unless it says otherwise; a patch that says nothing leaves that as it is. */
function toldOfWindow(sent: Json, { operation }: Reading, item: Item | null | 'unsteady'): unknown[] {
  const known = item === 'unsteady' ? null : item?.body;
  const stays = operation?.method === 'PATCH' && !('public' in sent);
  const isPublic = (stays ? known?.public : sent.public) ?? true;
  return isPublic === true ? [sent.name, sent.description, known?.name, known?.description, known?.id] : [];
}

/** Notes what an answer shows to be there for everybody: its id is known only then. */
export function noteShown(world: World, { kind, id, body }: Item): void {
  if (kind === WINDOWS && body.public === true) world.marks.publish(id);
}
