import { Type } from 'class-transformer';
import { IsBoolean, IsObject, IsOptional, IsString, MaxLength, MinLength, ValidateNested } from 'class-validator';
import { ValueAssertion } from '../database-fields.dto.js';
import { SecureEndpointFields } from '../endpoint-fields.dto.js';
import { MayBeLeftOut } from '../rule.decorator.js';

/** How a check signs in to an SQL database, and what it runs. */
export class SqlSettings {
  /**
   * Whether the connection must use TLS.
   * @example false
   */
  @MayBeLeftOut()
  @IsBoolean()
  tls?: boolean;

  /**
   * The name of the user, 1 to 128 characters.
   * @example "monitoring"
   */
  @IsString()
  @MinLength(1)
  @MaxLength(128)
  username: string;

  /**
   * The password, at most 1,024 characters. Responses contain `"********"` instead; sending that string keeps the stored
   * password. Null if the server does not ask for one.
   * @example "correct horse"
   */
  @IsOptional()
  @IsString()
  @MaxLength(1_024)
  password?: string | null;

  /**
   * The name of the database, at most 128 characters. Null for the server's default: with PostgreSQL, the database named
   * like the user, with MySQL, none.
   * @example "shop"
   */
  @IsOptional()
  @IsString()
  @MaxLength(128)
  database?: string | null;

  /**
   * The SQL statement, 1 to 4,000 characters. It runs with the rights of the user, who should only have those that it
   * needs. Default `SELECT 1`.
   * @example "SELECT count(*) FROM orders WHERE paid_at IS NULL"
   */
  @MayBeLeftOut()
  @IsString()
  @MinLength(1)
  @MaxLength(4_000)
  statement?: string;
}

/** The fields of a monitor that checks an SQL database. */
export class SqlFields extends SecureEndpointFields {
  /**
   * How the check signs in, and the statement that it runs.
   * @example { "tls": true, "username": "monitoring", "password": "correct horse", "database": "shop" }
   */
  @IsObject()
  @ValidateNested()
  @Type(() => SqlSettings)
  settings: SqlSettings;

  /** Declared by each type, because its class of assertions has the name of the type. */
  declare assertions?: ValueAssertion[];
}
