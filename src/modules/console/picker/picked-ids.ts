import { type FormFields } from '../../../http/body/form-fields.js';
import { askedOf } from './asked.js';

/** The field that carries the ids of the chosen monitors. */
export const MONITORS_FIELD = 'monitors';

/** The ids that the field carries. */
export function pickedIds(field: string): string[] {
  return field.split(',').filter((id) => id !== '');
}

/** The content of the field after a step. */
function repicked(field: string, { what, about }: { what: string; about: string }): string {
  const others = pickedIds(field).filter((id) => id !== about);
  if (what === 'add') return [...others, about].join();
  return what === 'remove' ? others.join() : field;
}

/** What stands in a form after a step about its monitors; null where it is to be saved. */
export function stepWithMonitors(form: FormFields): Record<string, string> | null {
  const asked = askedOf(form);
  if (asked.what === 'save') return null;
  const typed = form.record();
  return { ...typed, [MONITORS_FIELD]: repicked(typed[MONITORS_FIELD] ?? '', asked) };
}
