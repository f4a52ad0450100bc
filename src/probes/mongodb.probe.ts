import { Type } from 'class-transformer';
import { ArrayMaxSize, IsObject, IsOptional, IsString, MaxLength, MinLength, ValidateNested } from 'class-validator';
import { type ProbeOutcome } from '../domain/check-result.js';
import { yesNoField } from '../domain/form-field.js';
import { parsedJson } from '../domain/parsed-json.js';
import { AssertionList } from './assertion.dto.js';
import {
  LOGIN_FORM,
  NO_LOGIN,
  PASSWORD_PATH,
  SecureLoginSettings,
  ValueAssertion,
  withoutLonePassword,
} from './database-fields.dto.js';
import { SecureEndpointFields } from './endpoint-fields.dto.js';
import { shownEndpoint } from './host.rules.js';
import { type BsonDocument } from './mongodb/bson.js';
import { firstScalar, runCommand, signIn } from './mongodb/mongodb-session.js';
import { converse } from './net/conversation.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField, portField, VERIFY_TLS } from './probe-form.js';
import { MayBeLeftOut, Rule } from './rule.decorator.js';

const PORT = 27_017;
const DATABASE = 'admin';
const COMMAND = '{"ping":1}';

/** An assertion about a MongoDB check. */
export class MongodbAssertion extends ValueAssertion {}

/** How a check signs in, and what it runs. */
export class MongodbSettings extends SecureLoginSettings {
  /**
   * The database that stores the user, 1 to 64 characters. Default `admin`.
   * @example "admin"
   */
  @MayBeLeftOut()
  @IsString()
  @MinLength(1)
  @MaxLength(64)
  authSource?: string;

  /**
   * The database in which the command runs, 1 to 64 characters. Default `admin`.
   * @example "shop"
   */
  @MayBeLeftOut()
  @IsString()
  @MinLength(1)
  @MaxLength(64)
  database?: string;

  /**
   * The command as a JSON object, at most 4,000 characters. Null for `{"ping":1}`.
   * @example "{\"count\":\"orders\"}"
   */
  @IsOptional()
  @IsString()
  @MaxLength(4_000)
  @Rule('invalid_value', commandFault, 'command')
  command?: string | null;
}

/** The fields of a monitor of type `mongodb`. */
export class MongodbFields extends SecureEndpointFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [MongodbAssertion, MongodbSettings];

  /**
   * How the check signs in, and the command that it runs. The check connects to exactly this host, and does not look for
   * other members of a replica set.
   * @example { "tls": true, "username": "monitoring", "password": "correct horse", "command": "{\"count\":\"orders\"}" }
   */
  @MayBeLeftOut()
  @IsObject()
  @ValidateNested()
  @Type(() => MongodbSettings)
  settings?: MongodbSettings;

  /** At most 20 assertions. `value` is the first value in the reply that is neither a document nor an array. */
  @ArrayMaxSize(20)
  @AssertionList(() => MongodbAssertion)
  assertions?: MongodbAssertion[];
}

const settings = { ...NO_LOGIN, tls: false, authSource: DATABASE, database: DATABASE, command: null };
const defaults = { port: PORT, verifyTls: true, settings, assertions: [] };

export const mongodbProbe: ProbeDefinition<MongodbFields> = {
  type: 'mongodb',
  label: 'MongoDB',
  summary: 'Connects to a MongoDB server, signs in, and runs a command; passes if the command succeeds.',
  example: { key: 'document-store', name: 'Document store', host: 'mongo.example.com' },
  fields: MongodbFields,
  defaults,
  form: {
    gist: 'A MongoDB server',
    essential: [hostField('A name or an IP address.'), portField(PORT)],
    request: [
      ...LOGIN_FORM,
      { pointer: '/settings/authSource', label: 'Database of the user', kind: 'text', help: `Default: ${DATABASE}.` },
      {
        pointer: '/settings/command',
        label: 'Command',
        kind: 'text',
        lines: 3,
        help: `A JSON object. Default: ${COMMAND}.`,
      },
      { pointer: '/settings/database', label: 'Database', kind: 'text', help: `Of the command. Default: ${DATABASE}.` },
      yesNoField('/settings/tls', 'Use TLS'),
      VERIFY_TLS,
    ],
    sources: MongodbAssertion.sources,
  },
  target: ({ host, port = PORT }) => shownEndpoint(host, port),
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [PASSWORD_PATH],
  secretScope: ({ host }) => host,
  complete: withoutLonePassword,
  probe: checkMongodb,
};

function checkMongodb(fields: MongodbFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { host, port = PORT, verifyTls = true, assertions = [] } = fields;
  const { tls, username, password, authSource, database, command } = { ...settings, ...fields.settings };
  return observe(assertions, context, (seen) =>
    converse({ host, port, tls: tls ? { verifyTls } : null }, seen, context, async (conversation) => {
      if (username !== null) await signIn(conversation, authSource, username, password ?? '');
      const reply = await runCommand(conversation, database, JSON.parse(command ?? COMMAND) as BsonDocument);
      const value = firstScalar(reply);
      return value === undefined ? {} : { value };
    }),
  );
}

function commandFault(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const command = parsedJson(value);
  const isObject = typeof command === 'object' && command !== null && !Array.isArray(command);
  return isObject && Object.keys(command).length > 0 ? null : 'must be a JSON object with at least one member';
}
