import { PORT, type Cluster } from './cluster.js';

/**
 * Returns the server's command line. Settings are passed at each start, so that a new version of the service brings its
 * own. To tune PostgreSQL, run your own server and set DATABASE_URL.
 *
 * @param durable false trades crash safety for speed: for throw-away clusters only
 */
export function serverArguments(cluster: Cluster, durable: boolean): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(PORT),
    // A list of names: quoted, so that a comma or a space in the path is part of the name.
    unix_socket_directories: `"${cluster.socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '128MB',
    wal_compression: 'on',
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...logging(cluster),
    ...(durable ? { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } : THROW_AWAY),
  };
  return ['-D', cluster.data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

const THROW_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '200',
};

/** One file per weekday, overwritten a week later. Statements and values of rows are never logged. */
function logging(cluster: Cluster): Record<string, string> {
  return {
    logging_collector: 'on',
    log_directory: cluster.logDir,
    log_filename: 'server-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
    log_checkpoints: 'off',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_line_prefix: '%m [%p] ',
  };
}
