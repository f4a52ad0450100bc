import { type ControlTexts, type FormField } from '../../../../domain/form-field.js';
import { MASK } from '../../../../domain/mask.js';
import { nameOfField } from './form-field.js';

/** Where the secrets of a form come from: there are none yet, an edited monitor stores them, or a copied one does. */
export type SecretsOf = 'nothing' | 'stored' | 'copied';

/** Returns the help of the field of a secret, such as a password. */
export function secretHelp(secrets: SecretsOf, secret: string): string | undefined {
  if (secrets === 'stored') return `Leave empty to keep the stored ${secret}.`;
  return secrets === 'copied' ? `The ${secret} is not copied. Enter it again.` : undefined;
}

/** Returns which secrets a copied definition lacks: those of `headers`, and those of `auth`. */
export function uncopied(texts: ControlTexts): { headers: boolean; auth: boolean } {
  return { headers: texts('headers').includes(MASK), auth: texts('authType') !== '' };
}

/** Asks for the masked values of a copied monitor at a field that contains some. */
export function askedAgain(field: FormField, texts: ControlTexts): FormField {
  if (!texts(nameOfField(field)).includes(MASK)) return field;
  const form = field.kind === 'headers' ? 'One per line. ' : '';
  return { ...field, help: `${form}Secret values are not copied: replace each ${MASK} with the value.` };
}
