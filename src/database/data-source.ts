import { DataSource, type DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from './migrations/index.js';
import { SnakeNaming } from './naming.js';

/**
 * How every process and command reaches the database. Entities are listed by the modules that own them. `limits`: of the
 * pool beyond its size.
 */
export function dataSourceOptions(url: string, poolSize: number, limits: object = {}): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    namingStrategy: new SnakeNaming(),
    applicationName: 'daywatch',
    // Without this the driver asks for `uuid-ossp`, an extension that the service does not need.
    installExtensions: false,
    extra: {
      max: poolSize,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      options: '-c timezone=UTC',
      ...limits,
    },
  };
}

/** A data source for SQL and migrations: it knows no entities. */
export function dataSource(url: string, poolSize = 4): DataSource {
  return new DataSource(dataSourceOptions(url, poolSize));
}
