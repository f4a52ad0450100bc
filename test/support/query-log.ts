import { AbstractLogger, type DataSource, type LogLevel } from 'typeorm';

class QueryLog extends AbstractLogger {
  readonly queries: string[] = [];

  override logQuery(query: string): void {
    this.queries.push(query);
  }

  protected override writeLog(_level: LogLevel): void {}
}

/** Every query that the data source makes while `work` runs. */
export async function queriesDuring(source: DataSource, work: () => Promise<unknown>): Promise<string[]> {
  const before = source.logger;
  const log = new QueryLog();
  source.logger = log;
  try {
    await work();
  } finally {
    source.logger = before;
  }
  return log.queries;
}
