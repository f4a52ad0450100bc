import { SetupService } from '../src/modules/people/setup.service.js';
import { OWNER, serve } from './service.js';

/**
 * Serves the API on the database given as the first argument. Prints its address on one line, and exits when its
 * standard input ends.
 */
const [databaseUrl = '', secretKey = '', settings = '{}'] = process.argv.slice(2);
const { app, origin } = await serve({
  databaseUrl,
  secretKey,
  settings: { ADMIN_EMAIL: OWNER.email, ADMIN_PASSWORD: OWNER.password, ...(JSON.parse(settings) as object) },
});
await app.get(SetupService, { strict: false }).prepare();
process.stdout.write(`${origin}\n`);
process.stdin.resume();
process.stdin.on('end', () => void app.close().then(() => process.exit(0)));
