import { ArrayMaxSize } from 'class-validator';
import { AssertionList } from './assertion.dto.js';
import { ValueAssertion } from './database-fields.dto.js';
import { firstValue, signIn } from './mysql/mysql-session.js';
import { SqlFields, SqlSettings } from './sql/sql-fields.dto.js';
import { sqlProbe } from './sql/sql-probe.js';
import { START_TLS } from './start-tls/start-tls.js';

/** An assertion about a MySQL check. */
export class MysqlAssertion extends ValueAssertion {}

/** The fields of a monitor of type `mysql`. */
export class MysqlFields extends SqlFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [MysqlAssertion, SqlSettings];

  /** At most 20 assertions. `value` is the first column of the first row, as text; there is none without rows. */
  @ArrayMaxSize(20)
  @AssertionList(() => MysqlAssertion)
  override assertions?: MysqlAssertion[];
}

export const mysqlProbe = sqlProbe({
  type: 'mysql',
  label: 'MySQL',
  summary: 'Signs in to a MySQL or MariaDB server and runs a statement; passes if it succeeds.',
  gist: 'A MySQL or MariaDB server',
  example: { key: 'orders-database', name: 'Orders database' },
  fields: MysqlFields,
  port: START_TLS.mysql.port,
  run: async (conversation, { tls, username, password, database, statement }, secure) => {
    const login = { username, password: password ?? '', database, secure: tls ? secure : null };
    return firstValue(await signIn(conversation, login), statement);
  },
});
