import { AbstractLogger, type DataSource, type LogLevel } from 'typeorm';

class QueryLog extends AbstractLogger {
  readonly queries: string[] = [];

  override logQuery(query: string): void {
    this.queries.push(query);
  }

  protected override writeLog(_level: LogLevel): void {}
}

/** Records every query of the data source until `stop`, which returns them. */
export function recordQueries(source: DataSource): { stop(): string[] } {
  const before = source.logger;
  const log = new QueryLog();
  source.logger = log;
  return {
    stop: () => {
      source.logger = before;
      return log.queries;
    },
  };
}

/** Returns every query of the data source while `work` runs. */
export async function queriesDuring(source: DataSource, work: () => Promise<unknown>): Promise<string[]> {
  const recording = recordQueries(source);
  try {
    await work();
  } catch (error) {
    recording.stop();
    throw error;
  }
  return recording.stop();
}
