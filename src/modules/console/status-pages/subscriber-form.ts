import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { type FormShape } from '../form-state.js';

/** The form that imports subscribers. */
export const IMPORT_FORM: FormShape = {
  id: 'import',
  labels: { '/consentSource': 'Where these people consented', '/csv': 'Addresses' },
};

/** Returns the API's body that imports subscribers. */
export function importBody(form: FormFields): JsonObject {
  return { consentSource: form.text('consentSource').trim(), csv: form.text('csv') };
}
