import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';
import { type AssertionSource, type Assertion } from '../domain/assertions.js';
import { type FormField } from '../domain/form-field.js';
import { AssertionDto, CONNECTION_SOURCES } from './assertion.dto.js';
import { MayBeLeftOut, requires, Rule } from './rule.decorator.js';

/** The sources of assertions about a server that responds with a value. */
export const VALUE_SOURCES: readonly AssertionSource[] = ['value', ...CONNECTION_SOURCES];

/** An assertion about a check of a database. */
export class ValueAssertion extends AssertionDto {
  static override readonly sources = VALUE_SOURCES;
  static override readonly example: Assertion = { source: 'value', comparison: 'greaterThan', target: 0 };
}

/** The credentials of a check. */
export class LoginSettings {
  /**
   * The name of the user, at most 255 characters. Null to connect without authentication.
   * @example "monitoring"
   */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  username?: string | null;

  /**
   * The password, at most 1,024 characters. Requires `username`, and is removed with it. Responses contain `"********"`
   * instead; sending that string keeps the stored password.
   * @example "correct horse"
   */
  @IsOptional()
  @IsString()
  @MaxLength(1_024)
  @Rule('invalid_value', requires('username'), 'withUsername')
  password?: string | null;
}

/** The credentials of a check that may use TLS. */
export class SecureLoginSettings extends LoginSettings {
  /**
   * Whether the connection uses TLS.
   * @example false
   */
  @MayBeLeftOut()
  @IsBoolean()
  tls?: boolean;
}

export const NO_LOGIN = { username: null, password: null };

/** Removes a password that was kept although its username has been removed. */
export function withoutLonePassword<F extends { settings?: LoginSettings }>(fields: F): F {
  const { settings } = fields;
  if (!settings || settings.username != null) return fields;
  return { ...fields, settings: { ...settings, password: null } };
}

/** Where a password is stored in the definition. */
export const PASSWORD_PATH = ['settings', 'password'];

/** The form controls of credentials. */
export const LOGIN_FORM: readonly FormField[] = [
  {
    pointer: '/settings/username',
    label: 'Username',
    kind: 'text',
    brief: (texts) => (texts('username') === '' ? 'no authentication' : `username ${texts('username')}`),
  },
  { pointer: '/settings/password', label: 'Password', kind: 'text', secret: true },
];
