import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, readConfig } from '../config/app-config.js';
import { say } from './command.js';
import { provideContent } from './demo/content.js';
import { startTargets } from './demo/targets.js';
import { exitCodeOf, reasonOf } from '../exit-code.js';

/** The demo is one of its own: nothing of another installation may get into it, nor the demo into that. */
const OWN_SETTINGS = { DATABASE_URL: '', SECRET_KEY: '', PUBLIC_URL: '', MIN_INTERVAL_SECONDS: '5' };

/**
 * `npm run demo`: the real service with its own data folder, local things to watch, monitors and a status page for them.
 * It runs in this process, so that all of it ends together, however it ends.
 */
async function main(): Promise<void> {
  // Not read here, but set for the service that starts below.
  const { env } = process;
  Object.assign(env, OWN_SETTINGS, { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' });
  env.DATA_DIR ||= './data-demo';
  env.LOG_LEVEL ||= 'warn';
  const config = readConfig();
  if (config.get('PORT') === 0) throw new ConfigError(['PORT: the demo wants a fixed one']);
  const ports = await startTargets(config.get('PORT') + 1);
  // Ends this process, with its own exit code and message, where the service cannot start.
  await import('../main.js');

  const host = ['0.0.0.0', '::'].includes(config.get('HOST')) ? 'localhost' : config.get('HOST');
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${config.get('PORT')}`;
  const keyFile = join(config.get('DATA_DIR'), 'initial-api-key');
  const page = await provideContent(origin, (await readFile(keyFile, 'utf8')).trim(), ports);
  say('');
  say('The demo watches four targets on this machine: one healthy, one slow, one that fails now and then, a TCP port.');
  say(`  Status page   ${page}`);
  say(`  Application   ${origin}/`);
  say(`  API explorer  ${origin}/docs`);
  say(`  API key       ${keyFile}`);
  say(`  Try           curl -H "Authorization: Bearer $(cat '${keyFile}')" ${origin}/v1/monitors`);
  say('Ctrl-C ends it all. The next demo goes on with the same data.');
}

try {
  await main();
} catch (error) {
  process.stderr.write(`The demo cannot start: ${reasonOf(error)}\n`);
  // The service may run by now: it stops cleanly, with a code that tells of the failure.
  process.on('exit', () => (process.exitCode = exitCodeOf(error)));
  if (!process.emit('SIGTERM')) process.exit();
}
