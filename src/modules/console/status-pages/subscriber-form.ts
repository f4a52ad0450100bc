import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { type FormShape } from '../form-state.js';

/** The form that imports subscribers. */
export const IMPORT_FORM: FormShape = {
  id: 'import',
  labels: { '/consentSource': 'Source of consent', '/csv': 'Addresses' },
};

/** The form that adds one subscriber. */
export const SUBSCRIBER_FORM: FormShape = {
  id: 'subscriber',
  labels: { '/email': 'Email', '/consentSource': 'Source of consent' },
};

/** Returns the API's body that adds a subscriber. Without a source, they are sent a link to confirm. */
export function subscriberBody(form: FormFields): JsonObject {
  return { email: form.text('email').trim(), consentSource: form.text('consentSource').trim() || null };
}

/** Returns the API's body that imports subscribers. */
export function importBody(form: FormFields): JsonObject {
  return { consentSource: form.text('consentSource').trim(), csv: form.text('csv') };
}
