import { DataSource, type DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from './migrations/index.js';
import { SnakeNaming } from './naming.js';
import { TYPE_PARSERS } from './timestamps.js';

/**
 * Returns the options with which every process and command connects to the database. Entities are listed by the modules
 * that own them. `limits` adds options of the pool to its size.
 */
export function dataSourceOptions(url: string, poolSize: number, limits: object = {}): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    namingStrategy: new SnakeNaming(),
    applicationName: 'daywatch',
    // Otherwise the driver requests `uuid-ossp`, an extension that the service does not need.
    installExtensions: false,
    extra: {
      max: poolSize,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      options: '-c timezone=UTC',
      types: TYPE_PARSERS,
      ...limits,
    },
  };
}

/** Returns a data source for SQL and migrations, without entities. */
export function dataSource(url: string, poolSize = 4): DataSource {
  return new DataSource(dataSourceOptions(url, poolSize));
}
