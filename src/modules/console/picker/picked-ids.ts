import { formDecorator, type FormFields } from '../../../http/body/form-fields.js';
import { type Asked, askedOf } from './asked.js';

/** The name of the field that contains the ids of the chosen monitors. */
export const MONITORS_FIELD = 'monitors';
/** The name of the checkboxes of the monitors that a search has found. */
export const PICK_FIELD = 'pick';
/** The name of the field that contains the ids of all monitors that the picker shows. */
export const SHOWN_FIELD = 'shown';

/** Returns the ids in the field. */
export function pickedIds(field: string): string[] {
  return field.split(',').filter((id) => id !== '');
}

/** The form of an editor. Whatever button has sent it, the monitors ticked in its picker are chosen. */
export const PickerForm = formDecorator(withTicked);

/** Returns the form with its ticked monitors among the chosen ones. */
export function withTicked(form: FormFields): FormFields {
  const ticked = form.texts(PICK_FIELD);
  if (ticked.length === 0) return form;
  const ids = [...pickedIds(form.text(MONITORS_FIELD)), ...ticked];
  return form.with({ [MONITORS_FIELD]: [...new Set(ids)].join() });
}

/** Returns the ids that a step adds, in addition to those of the ticked monitors. */
export function addedIds(form: FormFields, { what }: Pick<Asked<string>, 'what'>): string[] {
  return what === 'add-shown' ? pickedIds(form.text(SHOWN_FIELD)) : [];
}

/** Returns the contents of a form after a step that concerns its monitors; null if it is to be saved. */
export function stepWithMonitors(form: FormFields): Record<string, string> | null {
  const asked = askedOf(form);
  return asked.what === 'save' ? null : afterPick(form, asked);
}

/** Returns the contents of a form after a step; those of steps that do not concern its monitors are unchanged. */
export function afterPick(form: FormFields, asked: Asked<string>): Record<string, string> {
  const typed = form.record();
  const before = pickedIds(typed[MONITORS_FIELD] ?? '');
  const kept = asked.what === 'remove' ? before.filter((id) => id !== asked.about) : before;
  return { ...typed, [MONITORS_FIELD]: [...new Set([...kept, ...addedIds(form, asked)])].join() };
}
