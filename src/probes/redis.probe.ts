import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsBoolean,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { type ProbeOutcome } from '../domain/check-result.js';
import { yesNoField } from '../domain/form-field.js';
import { AssertionList } from './assertion.dto.js';
import { LOGIN_FORM, NO_LOGIN, PASSWORD_PATH, ValueAssertion } from './database-fields.dto.js';
import { SecureEndpointFields } from './endpoint-fields.dto.js';
import { shownEndpoint } from './host.rules.js';
import { type Conversation, converse } from './net/conversation.js';
import { ProbeFault } from './net/probe-fault.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField, portField, VERIFY_TLS } from './probe-form.js';
import { command, RedisRefusal, type RedisValue } from './redis/resp.js';
import { MayBeLeftOut, requires, Rule } from './rule.decorator.js';

const PORT = 6379;

/** An assertion about a Redis check. */
export class RedisAssertion extends ValueAssertion {}

/** How a check signs in, and what it runs. */
export class RedisSettings {
  /**
   * The name of the user, at most 255 characters; requires `password`. Null for the default user.
   * @example "monitoring"
   */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  @Rule('invalid_value', requires('password'), 'withPassword')
  username?: string | null;

  /**
   * The password, at most 1,024 characters. Null to connect without authentication. Responses contain `"********"` instead;
   * sending that string keeps the stored password.
   * @example "correct horse"
   */
  @IsOptional()
  @IsString()
  @MaxLength(1_024)
  password?: string | null;

  /**
   * Whether the connection uses TLS.
   * @example false
   */
  @MayBeLeftOut()
  @IsBoolean()
  tls?: boolean;

  /**
   * The number of the database, 0 to 65,535.
   * @example 0
   */
  @MayBeLeftOut()
  @IsInt()
  @Min(0)
  @Max(65_535)
  database?: number;

  /**
   * The command, at most 1,000 characters, with its arguments separated by spaces; quotes allow spaces in an argument.
   * Null for `PING`.
   * @example "LLEN jobs"
   */
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  @Rule('invalid_value', commandFault, 'command')
  command?: string | null;
}

/** The fields of a monitor of type `redis`. */
export class RedisFields extends SecureEndpointFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [RedisAssertion, RedisSettings];

  /**
   * How the check signs in, and the command that it runs.
   * @example { "tls": true, "username": "monitoring", "password": "correct horse", "database": 0, "command": "LLEN jobs" }
   */
  @MayBeLeftOut()
  @IsObject()
  @ValidateNested()
  @Type(() => RedisSettings)
  settings?: RedisSettings;

  /** At most 20 assertions. `value` is the reply, or its first element. */
  @ArrayMaxSize(20)
  @AssertionList(() => RedisAssertion)
  assertions?: RedisAssertion[];
}

const defaults = {
  port: PORT,
  verifyTls: true,
  settings: { ...NO_LOGIN, tls: false, database: 0, command: null },
  assertions: [],
};

export const redisProbe: ProbeDefinition<RedisFields> = {
  type: 'redis',
  label: 'Redis',
  summary: 'Connects to a Redis or Valkey server, signs in, and runs a command; passes if the command succeeds.',
  example: { key: 'job-queue', name: 'Job queue', host: 'redis.example.com', settings: { command: 'LLEN jobs' } },
  fields: RedisFields,
  defaults,
  form: {
    gist: 'A Redis or Valkey server',
    essential: [hostField('A name or an IP address.'), portField(PORT)],
    request: [
      ...LOGIN_FORM,
      { pointer: '/settings/command', label: 'Command', kind: 'text', help: 'For example LLEN jobs. Default: PING.' },
      { pointer: '/settings/database', label: 'Database', kind: 'integer', help: 'Its number. Default: 0.' },
      yesNoField('/settings/tls', 'Use TLS'),
      VERIFY_TLS,
    ],
    sources: RedisAssertion.sources,
  },
  target: ({ host, port = PORT }) => shownEndpoint(host, port),
  hosts: ({ host }) => [{ pointer: '/host', host }],
  secretPaths: () => [PASSWORD_PATH],
  secretScope: ({ host }) => host,
  probe: checkRedis,
};

function checkRedis(fields: RedisFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { host, port = PORT, verifyTls = true, settings = defaults.settings, assertions = [] } = fields;
  const peer = { host, port, tls: settings.tls ? { verifyTls } : null };
  return observe(assertions, context, (seen) =>
    converse(peer, seen, context, async (conversation) => ({ value: await ask(conversation, settings) })),
  );
}

async function ask(conversation: Conversation, settings: RedisSettings): Promise<RedisValue> {
  const { username, password, database = 0, command: words } = settings;
  if (password != null) {
    await run(conversation, ['AUTH', ...(username == null ? [] : [username]), password], 'authentication_failed');
  }
  if (database > 0) await run(conversation, ['SELECT', String(database)]);
  const value = await run(conversation, words == null ? ['PING'] : (wordsOf(words) ?? []));
  conversation.leaveWith('QUIT\r\n');
  return value;
}

/** Codes of a server that requires authentication, or does not permit the command. */
const OF_ACCESS = new Set(['WRONGPASS', 'NOAUTH', 'NOPERM']);

/** Runs a command. @throws ProbeFault with this code if the server refuses it */
async function run(
  conversation: Conversation,
  words: readonly string[],
  code: 'authentication_failed' | 'command_failed' = 'command_failed',
): Promise<RedisValue> {
  try {
    return await command(conversation, words);
  } catch (error) {
    if (!(error instanceof RedisRefusal)) throw error;
    const isOfAccess = code === 'authentication_failed' || OF_ACCESS.has(error.code);
    if (isOfAccess) throw new ProbeFault('authentication_failed', `The server denied access (${error.code}).`);
    throw new ProbeFault(code, `The server refused the command (${error.code}).`);
  }
}

function commandFault(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return wordsOf(value)?.length ? null : 'must be a command with its arguments, with balanced quotes';
}

/** Splits a command at spaces outside of quotes. Returns `null` if quotes are not balanced. */
function wordsOf(text: string): string[] | null {
  if (!/^(?:\s|"[^"]*"|'[^']*'|[^\s"'])*$/.test(text)) return null;
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, one?: string, two?: string) => one ?? two ?? ''));
}
