import { addressOf, itemAt } from './addresses.js';
import { BULK } from './bulk.js';
import { kindOfReference } from './purpose.js';
import { type Setting } from './verdict.js';
import { type Json } from './world.js';

/** A trial stores nothing, so that its references need not exist yet; a bulk action fails for each monitor on its own. */
const NEED_NOT_EXIST = ['/v1/monitors/test', BULK];

/**
 * Returns whether everything to which a body refers by id or key exists for its team; `null`: unknown. Items of another
 * team do not exist for it.
 */
export function refersToOwn(setting: Setting, body: unknown): boolean | null {
  if (NEED_NOT_EXIST.includes(setting.reading.operation?.template ?? '')) return true;
  const found = referencesIn(setting, body).map(({ kind, text }) => isThere(setting, kind, text));
  if (found.includes(false)) return false;
  return found.includes(null) ? null : true;
}

function isThere({ world, number, span, reading }: Setting, kind: string, text: string): boolean | null {
  if (reading.credentials.is !== 'known') return null;
  const item = itemAt(world, number, reading.credentials.secret.item.team, kind, addressOf(text));
  if (item === 'unsteady') return null;
  if (item === null) return false;
  const life = world.lifeOf(item, span);
  return life === 'unsure' ? null : life === 'live';
}

function referencesIn({ document }: Setting, body: unknown): { kind: string; text: string }[] {
  const walk = (value: unknown, kind: string | null): { kind: string; text: string }[] => {
    if (typeof value === 'string') return kind === null ? [] : [{ kind, text: value }];
    if (Array.isArray(value)) return value.flatMap((one) => walk(one, kind));
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value as Json).flatMap(([name, one]) => walk(one, kindOfReference(document, name)));
  };
  return walk(body, null);
}
