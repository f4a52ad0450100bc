import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, readConfig } from '../config/app-config.js';
import { say } from './command.js';
import { provideContent } from './demo/content.js';
import { HOST, startTargets } from './demo/targets.js';
import { exitCodeOf, reasonOf } from '../exit-code.js';

/**
 * Isolates the demo: data of another installation must not get into the demo, nor data of the demo into that, and the
 * demo must not report that the other one works.
 */
const OWN_SETTINGS = {
  DATABASE_URL: '',
  REDIS_URL: '',
  ROLES: '',
  LOCATION: '',
  SECRET_KEY: '',
  PUBLIC_URL: '',
  WATCHDOG_URL: '',
  MIN_INTERVAL_SECONDS: '5',
};

/**
 * `npm run demo`: runs the real service with its own data directory, local targets, monitors and a status page for
 * them. Everything runs in this process, so that all of it ends together, however the process ends.
 */
async function main(): Promise<void> {
  // These settings are for the service that starts below.
  const { env } = process;
  Object.assign(env, OWN_SETTINGS, { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' });
  env.DATA_DIR ||= './data-demo';
  env.LOG_LEVEL ||= 'warn';
  const config = readConfig();
  if (config.get('PORT') === 0) throw new ConfigError(['PORT must not be 0 for the demo']);
  const ports = await startTargets(config.get('PORT') + 1);
  // If the service cannot start, this ends the process with the service's own exit code and message.
  await import('../main.js');

  const host = ['0.0.0.0', '::'].includes(config.get('HOST')) ? 'localhost' : config.get('HOST');
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${config.get('PORT')}`;
  const keyFile = join(config.get('DATA_DIR'), 'initial-api-key');
  const page = await provideContent(origin, (await readFile(keyFile, 'utf8')).trim(), ports);
  say('');
  say(
    'The demo monitors four local targets: a healthy one, a slow one, one that fails intermittently, and a TCP port.',
  );
  say(`  Targets       ${HOST}, ports ${Object.values(ports).join(', ')}`);
  say(`  Status page   ${page}`);
  say(`  Application   ${origin}/`);
  say(`  API reference ${origin}/docs`);
  say(`  API key       ${keyFile}`);
  say(`  Try           curl -H "Authorization: Bearer $(cat '${keyFile}')" ${origin}/v1/monitors`);
  say('Press Ctrl-C to stop everything. The next demo continues with the same data.');
}

try {
  await main();
} catch (error) {
  process.stderr.write(`The demo cannot start: ${reasonOf(error)}\n`);
  // The service may be running by now: it shuts down cleanly, with the exit code of the failure.
  process.on('exit', () => (process.exitCode = exitCodeOf(error)));
  if (!process.emit('SIGTERM')) process.exit();
}
