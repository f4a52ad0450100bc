import { addressOf, itemAt } from './addresses.js';
import { maybe, PASSES, refused, type Setting, type Verdict } from './verdict.js';

const REFUSED = refused(400, 'invalid_cursor');

/** Judges the cursor of a request. A cursor is valid for one list of one team, with its original parameters. */
export function judgeCursor(setting: Setting): Verdict {
  const { world, reading } = setting;
  const [cursor] = reading.query.get('cursor') ?? [];
  if (cursor === undefined || reading.credentials.is !== 'known' || reading.operation!.scope === null) return PASSES;
  const known = world.cursors.get(cursor);
  const list = listOf(setting);
  if (list === null || known?.list === null) return maybe(...(REFUSED.is === 'refused' ? REFUSED.outcomes : []));
  if (!known || known.team !== reading.credentials.secret.item.team || known.list !== list) return REFUSED;
  return reading.query.size > 1 ? maybe({ status: 400, codes: ['invalid_cursor'] }) : PASSES;
}

/** Returns a name for the list that is read, independent of how the path addresses its item; `null` if unknown. */
export function listOf({ world, reading, number }: Setting): string | null {
  const { operation, places, credentials } = reading;
  const [place] = places;
  if (!place || credentials.is !== 'known') return operation!.template;
  const item = itemAt(world, number, credentials.secret.item.team, place.kind, addressOf(place.text));
  return item === null || item === 'unsteady' ? null : `${operation!.template} ${item.id}`;
}
