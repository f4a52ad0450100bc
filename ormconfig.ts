import { DataSource, getMetadataArgsStorage } from 'typeorm';
import './src/app.module.js';
import { readConfig } from './src/config/app-config.js';
import { runningDatabaseUrl } from './src/database/command-database.js';
import { dataSourceOptions } from './src/database/data-source.js';

const url = (await runningDatabaseUrl(readConfig())) ?? '';
/** The entities of all modules, which importing the modules has registered. */
const entities = getMetadataArgsStorage().tables.flatMap(({ target }) => (typeof target === 'string' ? [] : [target]));

/** The data source that the TypeORM CLI loads (`-d dist/ormconfig.js`). */
export default new DataSource({ ...dataSourceOptions(url, 4), entities });
