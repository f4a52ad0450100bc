import { describe, expect, it } from '@jest/globals';
import { FormFields } from '../../../http/body/form-fields.js';
import { keyBody, rotationBody, scopeChoices } from './key-form.js';

const NOW = Date.parse('2026-01-01T12:00:00.000Z');
const form = (query: string) => new FormFields(new URLSearchParams(query));

describe('keyBody', () => {
  it.each<[string, string | null]>([
    ['expiresAt=never', null],
    ['expiresAt=7', '2026-01-08T12:00:00.000Z'],
    ['expiresAt=365', '2027-01-01T12:00:00.000Z'],
    ['expiresAt=date&expiresOn=2026-02-28', '2026-02-28T23:59:59.999Z'],
    // Invalid values are passed on, so that the service refuses them.
    ['expiresAt=date', 'T23:59:59.999Z'],
    ['expiresAt=8', 'T23:59:59.999Z'],
    ['', 'T23:59:59.999Z'],
  ])('converts %s to the expiry %j', (query, expiresAt) => {
    expect(keyBody(form(query), NOW).expiresAt).toBe(expiresAt);
  });

  it('ignores a date that the choice does not show', () => {
    expect(keyBody(form('expiresAt=30&expiresOn=2026-02-28'), NOW).expiresAt).toBe('2026-01-31T12:00:00.000Z');
  });

  it('trims the name and passes on the scopes as they were sent', () => {
    expect(keyBody(form('name=+CI+&scopes=read&scopes=x&expiresAt=never'), NOW)).toEqual({
      name: 'CI',
      scopes: ['read', 'x'],
      expiresAt: null,
    });
  });
});

describe('rotationBody', () => {
  it.each<[string, unknown]>([
    ['overlapSeconds=0', 0],
    ['overlapSeconds=604800', 604_800],
    ['overlapSeconds=1.5', '1.5'],
    ['', ''],
  ])('converts %s to the overlap %j', (query, overlapSeconds) => {
    expect(rotationBody(form(query))).toEqual({ overlapSeconds });
  });
});

describe('scopeChoices', () => {
  it.each([
    ['viewer', []],
    ['editor', ['read', 'write']],
    ['owner', ['read', 'write', 'admin']],
  ] as const)('offers the role %s the scopes %j', (role, scopes) => {
    expect(scopeChoices(role).map(({ value }) => value)).toEqual(scopes);
  });
});
