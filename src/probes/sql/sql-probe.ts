import { yesNoField } from '../../domain/form-field.js';
import { PASSWORD_PATH, VALUE_SOURCES } from '../database-fields.dto.js';
import { shownEndpoint } from '../host.rules.js';
import { type Conversation, converse } from '../net/conversation.js';
import { observe } from '../observation.js';
import { type ProbeDefinition } from '../probe.js';
import { hostField, portField, VERIFY_TLS } from '../probe-form.js';
import { type SqlFields, type SqlSettings } from './sql-fields.dto.js';

const STATEMENT = 'SELECT 1';

/** Settings with their defaults. */
export type CompleteSqlSettings = Required<SqlSettings>;

interface SqlType<F extends SqlFields> extends Pick<ProbeDefinition<F>, 'type' | 'label' | 'summary' | 'fields'> {
  /** The usual port. */
  port: number;
  /** What such a monitor watches. */
  gist: string;
  example: { key: string; name: string };
  /**
   * Signs in, runs the statement and returns the first value of its first row; `undefined` without rows. `secure` starts
   * TLS, if the settings demand it. @throws ProbeFault
   */
  run: (
    conversation: Conversation,
    settings: CompleteSqlSettings,
    secure: () => Promise<void>,
  ) => Promise<string | null | undefined>;
}

/** Returns the definition of a monitor type that runs a statement in an SQL database. */
export function sqlProbe<F extends SqlFields>(sql: SqlType<F>): ProbeDefinition<SqlFields> {
  const { port: usual, run, gist, example, ...kind } = sql;
  const settings = { tls: false, password: null, database: null, statement: STATEMENT };
  return {
    ...kind,
    example: {
      ...example,
      host: 'db.example.com',
      settings: { username: 'monitoring', password: 'correct horse', database: 'shop' },
    },
    defaults: { port: usual, verifyTls: true, settings, assertions: [] },
    form: {
      gist,
      essential: [
        hostField('A name or an IP address.'),
        portField(usual),
        { pointer: '/settings/username', label: 'Username', kind: 'text', required: true },
        { pointer: '/settings/password', label: 'Password', kind: 'text', secret: true },
      ],
      request: [
        { pointer: '/settings/database', label: 'Database', kind: 'text' },
        {
          pointer: '/settings/statement',
          label: 'Statement',
          kind: 'text',
          lines: 3,
          help: `An SQL statement. Default: ${STATEMENT}.`,
        },
        yesNoField('/settings/tls', 'Use TLS'),
        VERIFY_TLS,
      ],
      sources: VALUE_SOURCES,
    },
    target: ({ host, port = usual, settings: { database } }) => {
      return shownEndpoint(host, port) + (database == null ? '' : `/${database}`);
    },
    hosts: ({ host }) => [{ pointer: '/host', host }],
    secretPaths: () => [PASSWORD_PATH],
    secretScope: ({ host }) => host,
    probe: ({ host, port = usual, verifyTls = true, settings: given, assertions = [] }, context) =>
      observe(assertions, context, (seen) =>
        converse({ host, port, tls: null }, seen, context, async (conversation) => {
          const complete = { ...settings, ...given };
          const value = await run(conversation, complete, () => conversation.secure({ verifyTls }));
          return value === undefined ? {} : { value };
        }),
      ),
  };
}
