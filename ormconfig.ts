import { readConfig } from './src/config/app-config.js';
import { runningDatabaseUrl } from './src/database/command-database.js';
import { dataSource } from './src/database/data-source.js';

/** The one data source that the TypeORM command line loads (`-d dist/ormconfig.js`). */
export default dataSource((await runningDatabaseUrl(readConfig())) ?? '');
