import { type FormFields } from '../../../http/body/form-fields.js';

/** The actions of buttons in an editor that change only the form and save nothing. */
const STEPS = ['search', 'add', 'remove', 'up', 'down'] as const;

/**
 * The requested action of an editor: saving, or a step within the form. `about` is the id of a monitor or the position
 * in a list.
 */
export interface Asked {
  what: (typeof STEPS)[number] | 'save';
  about: string;
}

/**
 * Returns the action that a form requests. Enter presses no named button: it searches if the typed search differs from
 * the one shown, and saves otherwise.
 */
export function askedOf(form: FormFields): Asked {
  const [name, about = ''] = form.text('do').split(/:(.*)/s);
  const what = STEPS.find((one) => one === name);
  if (what) return { what, about };
  const isSearch = name === '' && form.text('q').trim() !== form.text('searched').trim();
  return { what: isSearch ? 'search' : 'save', about: '' };
}

/** Returns a list with one element moved up or down, unchanged if there is no such position. */
export function moved<T>(list: readonly T[], at: number, by: -1 | 1): T[] {
  const to = at + by;
  if (!(at in list) || !(to in list)) return [...list];
  return list.map((one, place) => (place === at ? list[to]! : place === to ? list[at]! : one));
}
