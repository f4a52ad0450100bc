import { type FormFields } from '../../../http/body/form-fields.js';
import { askedOf } from './asked.js';

/** The name of the field that contains the ids of the chosen monitors. */
export const MONITORS_FIELD = 'monitors';

/** Returns the ids in the field. */
export function pickedIds(field: string): string[] {
  return field.split(',').filter((id) => id !== '');
}

/** Returns the content of the field after a step. */
function repicked(field: string, { what, about }: { what: string; about: string }): string {
  const others = pickedIds(field).filter((id) => id !== about);
  if (what === 'add') return [...others, about].join();
  return what === 'remove' ? others.join() : field;
}

/** Returns the contents of a form after a step that concerns its monitors; null if it is to be saved. */
export function stepWithMonitors(form: FormFields): Record<string, string> | null {
  const asked = askedOf(form);
  if (asked.what === 'save') return null;
  const typed = form.record();
  return { ...typed, [MONITORS_FIELD]: repicked(typed[MONITORS_FIELD] ?? '', asked) };
}
