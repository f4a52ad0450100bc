import { type FormFields } from '../../../http/body/form-fields.js';
import { type FormState } from '../form-state.js';

/** The actions of buttons in every editor with a picker. They change only the form and save nothing. */
const PICKER_STEPS = ['search', 'add', 'add-shown', 'remove'] as const;
export type PickerStep = (typeof PICKER_STEPS)[number];

/** The requested action of an editor: saving, or a step within the form. `about` identifies what the step concerns. */
export interface Asked<Step extends string = PickerStep> {
  what: Step | 'save';
  about: string;
}

/** The actions of buttons within the picker. */
const WITHIN_PICKER: readonly string[] = ['search', 'add', 'add-shown', 'add-tagged'];

/** Returns whether the form was sent by its picker, which then stays open. */
export function isPicking(form: FormState): boolean {
  return WITHIN_PICKER.includes(form.text('do'));
}

/**
 * Returns the action that a form requests. `more`: the steps of the editor in addition to those of its picker. Enter
 * presses no named button: it searches if the typed search differs from the one shown, and saves otherwise.
 */
export function askedOf<More extends string = never>(
  form: FormFields,
  more: readonly More[] = [],
): Asked<PickerStep | More> {
  const [name, about = ''] = form.text('do').split(/:(.*)/s);
  const what = [...PICKER_STEPS, ...more].find((one) => one === name);
  if (what) return { what, about };
  const isSearch = name === '' && form.text('q').trim() !== form.text('searched').trim();
  return { what: isSearch ? 'search' : 'save', about: '' };
}
