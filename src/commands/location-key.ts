import { loadSecretKey } from '../database/secret-key.js';
import { DEFAULT_LOCATION } from '../domain/location.js';
import { locationKey } from '../modules/checks/job-secrets.service.js';
import { runCommand, say } from './command.js';

/** `npm run location:key`: prints the `LOCATION_KEY` of workers. */
await runCommand(async (config) => {
  say(locationKey(await loadSecretKey(config), DEFAULT_LOCATION));
});
