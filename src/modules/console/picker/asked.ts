import { type FormFields } from '../../../http/body/form-fields.js';

/** What a button of an editor does to the form alone, before anything is saved. */
const STEPS = ['search', 'add', 'remove', 'up', 'down'] as const;

/** What was asked of an editor: to save, or a step within the form, about a monitor's id or a place. */
export interface Asked {
  what: (typeof STEPS)[number] | 'save';
  about: string;
}

/**
 * What the button of a form says. Enter presses none: it searches where another search was typed than the one that was
 * shown, and else it saves.
 */
export function askedOf(form: FormFields): Asked {
  const [name, about = ''] = form.text('do').split(/:(.*)/s);
  const what = STEPS.find((one) => one === name);
  if (what) return { what, about };
  const isSearch = name === '' && form.text('q').trim() !== form.text('searched').trim();
  return { what: isSearch ? 'search' : 'save', about: '' };
}

/** A list with one element moved a place up or down, where there is such a place. */
export function moved<T>(list: readonly T[], at: number, by: -1 | 1): T[] {
  const to = at + by;
  if (!(at in list) || !(to in list)) return [...list];
  return list.map((one, place) => (place === at ? list[to]! : place === to ? list[at]! : one));
}
