import { parseArgs } from 'node:util';
import { LOCATION_PATTERN } from '../config/setting-values.js';
import { findSecretKey } from '../database/secret-key.js';
import { DEFAULT_LOCATION } from '../domain/location.js';
import { locationKey } from '../modules/checks/job-secrets.service.js';
import { runCommand, say } from './command.js';

/** `npm run location:key -- [<key>]`: prints the `LOCATION_KEY` of the workers of a location. */
await runCommand(async (config) => {
  const [key = DEFAULT_LOCATION, ...more] = parseArgs({ allowPositionals: true }).positionals;
  if (!LOCATION_PATTERN.test(key) || more.length > 0) {
    throw new Error('Specify the key of one location: npm run location:key -- <key>');
  }
  // A key that was created here would not be that of the service, and no worker could open a check with what it derives.
  const secretKey = await findSecretKey(config);
  if (secretKey === null) {
    throw new Error(
      `There is no secret key in ${config.get('DATA_DIR')}: set SECRET_KEY or DATA_DIR as for the service.`,
    );
  }
  say(locationKey(secretKey, key));
});
