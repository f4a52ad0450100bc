import { ArrayMaxSize } from 'class-validator';
import { AssertionList } from './assertion.dto.js';
import { ValueAssertion } from './database-fields.dto.js';
import { firstValue, signIn } from './postgres/postgres-session.js';
import { SqlFields, SqlSettings } from './sql/sql-fields.dto.js';
import { sqlProbe } from './sql/sql-probe.js';
import { START_TLS } from './start-tls/start-tls.js';

const { port, start: startTls } = START_TLS.postgres;

/** An assertion about a PostgreSQL check. */
export class PostgresAssertion extends ValueAssertion {}

/** The fields of a monitor of type `postgres`. */
export class PostgresFields extends SqlFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [PostgresAssertion, SqlSettings];

  /** At most 20 assertions. `value` is the first column of the first row, as text; there is none without rows. */
  @ArrayMaxSize(20)
  @AssertionList(() => PostgresAssertion)
  override assertions?: PostgresAssertion[];
}

export const postgresProbe = sqlProbe({
  type: 'postgres',
  label: 'PostgreSQL',
  summary: 'Signs in to a PostgreSQL database and runs a statement; passes if it succeeds.',
  gist: 'A PostgreSQL database',
  example: { key: 'shop-database', name: 'Shop database' },
  fields: PostgresFields,
  port,
  run: async (conversation, { tls, username, password, database, statement }, secure) => {
    if (tls) {
      await startTls(conversation);
      await secure();
    }
    await signIn(conversation, { username, password, database: database ?? username });
    return firstValue(conversation, statement);
  },
});
