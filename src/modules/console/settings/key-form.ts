import { includesRole, type Role } from '../../../domain/role.js';
import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { type Scope } from '../../../http/auth/principal.js';
import { wholeOr } from '../field-values.js';
import { type FormShape } from '../form-state.js';
import { type Choice } from '../html/fields.js';

export const API_KEYS_PATH = '/settings/api-keys';

export const KEY_FORM: FormShape = {
  id: 'key',
  labels: {
    '/name': 'Name',
    '/scopes': 'What it may do',
    '/expiresAt': 'Expires',
    '/expiresOn': 'Day of my choice',
  },
};
export const ROTATE_FORM: FormShape = { id: 'rotate', labels: { '/overlapSeconds': 'The old secret' } };

const SCOPE_CHOICES: readonly (Choice & { value: Scope; needs: Role })[] = [
  { value: 'read', needs: 'editor', label: 'Read', help: 'sees monitors, results, incidents and pages' },
  { value: 'write', needs: 'editor', label: 'Write', help: 'also changes them: what a pipeline needs' },
  { value: 'admin', needs: 'owner', label: 'Admin', help: 'also makes and revokes API keys' },
];

/** Returns the scopes that a person with this role may grant to a key. */
export function scopeChoices(role: Role): Choice[] {
  return SCOPE_CHOICES.filter(({ needs }) => includesRole(role, needs));
}

/** The lifetimes that a key may have, in days. */
const LIVES = ['7', '30', '90', '365'] as const;
export const EXPIRY_CHOICES: readonly Choice[] = [
  ...LIVES.map((value) => ({ value, label: value === '365' ? 'in a year' : `in ${value} days` })),
  { value: 'date', label: 'at the end of a day of my choice' },
  { value: 'never', label: 'never' },
];

export const KEY_DEFAULTS = { scopes: 'write', expiresAt: '90' };

/** Returns the shape of the form as it was sent: the choice determines which of its fields states the expiry. */
export function sentKeyForm(form: FormFields): FormShape {
  return form.text('expiresAt') === 'date' ? { ...KEY_FORM, writtenBy: { '/expiresAt': '/expiresOn' } } : KEY_FORM;
}

/** Returns the API's body that creates a key. Invalid values are passed on, so that the service refuses them. */
export function keyBody(form: FormFields, nowMs: number): JsonObject {
  return { name: form.text('name').trim(), scopes: form.texts('scopes'), expiresAt: expiryOf(form, nowMs) };
}

function expiryOf(form: FormFields, nowMs: number): string | null {
  const chosen = form.text('expiresAt');
  if (chosen === 'never') return null;
  if (LIVES.some((days) => days === chosen)) return new Date(nowMs + Number(chosen) * 86_400_000).toISOString();
  return `${form.text('expiresOn')}T23:59:59.999Z`;
}

export const OVERLAP_CHOICES: readonly Choice[] = [
  { value: '0', label: 'is refused at once' },
  { value: '3600', label: 'works for one more hour' },
  { value: '86400', label: 'works for one more day' },
  { value: '604800', label: 'works for seven more days' },
];

/** Returns the API's body that rotates a key. */
export function rotationBody(form: FormFields): JsonObject {
  return { overlapSeconds: wholeOr(form.text('overlapSeconds')) };
}
