import { DAY_MS } from '../../../domain/durations.js';
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
    '/scopes': 'Scope',
    '/expiresAt': 'Expires',
    '/expiresOn': 'Expiry date',
  },
};
export const ROTATE_FORM: FormShape = { id: 'rotate', labels: { '/overlapSeconds': 'Old secret' } };

const SCOPE_CHOICES: readonly (Choice & { value: Scope; needs: Role })[] = [
  { value: 'read', needs: 'editor', label: 'Read', help: 'can view monitors, checks, incidents and status pages' },
  {
    value: 'write',
    needs: 'editor',
    label: 'Write',
    help: 'can also create, change and delete them; suitable for pipelines',
  },
  { value: 'admin', needs: 'owner', label: 'Admin', help: 'can also manage API keys and subscribers' },
];

/** Returns the scopes that a person with this role may grant to a key. */
export function scopeChoices(role: Role): Choice[] {
  return SCOPE_CHOICES.filter(({ needs }) => includesRole(role, needs));
}

/** The lifetimes that a key may have, in days. */
const LIVES = ['7', '30', '90', '365'] as const;
export const EXPIRY_CHOICES: readonly Choice[] = [
  ...LIVES.map((value) => ({ value, label: value === '365' ? '1 year' : `${value} days` })),
  { value: 'date', label: 'Custom date…' },
  { value: 'never', label: 'Never' },
];

export const KEY_DEFAULTS = { scopes: 'write', expiresAt: '90' };

/** Returns the shape of the form as it was sent: the choice determines which of its fields states the expiry. */
export function sentKeyForm(form: FormFields): FormShape {
  return form.text('expiresAt') === 'date' ? { ...KEY_FORM, writtenBy: { '/expiresAt': '/expiresOn' } } : KEY_FORM;
}

/**
 * Returns the API's body that creates a key. Invalid values are passed on, so that the service refuses them. The date
 * counts only if the choice shows it.
 */
export function keyBody(form: FormFields, nowMs: number): JsonObject {
  return { name: form.text('name').trim(), scopes: form.texts('scopes'), expiresAt: expiryOf(form, nowMs) };
}

function expiryOf(form: FormFields, nowMs: number): string | null {
  const chosen = form.text('expiresAt');
  if (chosen === 'never') return null;
  if (LIVES.some((days) => days === chosen)) return new Date(nowMs + Number(chosen) * DAY_MS).toISOString();
  return `${form.text('expiresOn')}T23:59:59.999Z`;
}

export const OVERLAP_CHOICES: readonly Choice[] = [
  { value: '0', label: 'Stops working immediately' },
  { value: '3600', label: 'Works for 1 more hour' },
  { value: '86400', label: 'Works for 1 more day' },
  { value: '604800', label: 'Works for 7 more days' },
];

/** Returns the API's body that rotates a key. */
export function rotationBody(form: FormFields): JsonObject {
  return { overlapSeconds: wholeOr(form.text('overlapSeconds')) };
}
