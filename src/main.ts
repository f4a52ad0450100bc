import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type AddressInfo } from 'node:net';
import { AppModule } from './app.module.js';
import { setUp } from './app.setup.js';
import { type AppConfig, readConfig } from './config/app-config.js';
import { dataSource } from './database/data-source.js';
import { EmbeddedPostgres } from './database/embedded/embedded-postgres.js';
import { migrate } from './database/migrate.js';
import { assertSecretKey, loadSecretKey } from './database/secret-key.js';
import { exitCodeOf, reasonOf, TRY_AGAIN } from './exit-code.js';
import { APPLICATION_OPTIONS } from './http/conventions.js';
import { BootstrapService } from './modules/api-keys/bootstrap.service.js';
import { PinoLogger } from './pino-logger.js';

/** After a signal, whatever is left is cut off. */
const STOP_WITHIN_MS = 24_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const settings = readConfig();
  const logger = new PinoLogger(settings.get('LOG_LEVEL'));
  // A promise that somebody forgot must not end the watch over everything else.
  process.on('unhandledRejection', (reason) => logger.error('unhandled rejection', reason));
  const embedded = await startEmbedded(settings, logger);
  try {
    const located = embedded ? settings.withEmbedded(embedded.url) : settings;
    const config = located.with({ SECRET_KEY: await loadSecretKey(settings) });
    await prepareDatabase(config);
    const app = await startApplication(config, logger);
    stopOnSignal(app, embedded, logger);
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

async function startEmbedded(config: AppConfig, logger: PinoLogger): Promise<EmbeddedPostgres | null> {
  if (config.get('DATABASE_URL') !== null) return null;
  return EmbeddedPostgres.start({
    dataDir: config.get('DATA_DIR'),
    onLog: (line) => logger.log(line, 'EmbeddedPostgres'),
    onLost: (error) => {
      logger.fatal(error.message, error, 'EmbeddedPostgres');
      process.exit(TRY_AGAIN);
    },
  });
}

async function prepareDatabase(config: AppConfig): Promise<void> {
  const url = config.get('DATABASE_URL')!;
  await migrate(url);
  const source = await dataSource(url, 1).initialize();
  try {
    await assertSecretKey(source, config.get('SECRET_KEY')!);
  } finally {
    await source.destroy();
  }
}

async function startApplication(config: AppConfig, logger: PinoLogger): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(config), {
    ...APPLICATION_OPTIONS,
    logger,
    abortOnError: false,
  });
  setUp(app);
  const first = await app.get(BootstrapService).ensureFirstTeam();
  await app.listen(config.get('PORT'), config.get('HOST'));
  const { address, port, family } = app.getHttpServer().address() as AddressInfo;
  const host = ['0.0.0.0', '::'].includes(address) ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  config.listensOn(`http://${host}:${port}`);
  announce(config, first?.secret ?? null);
  return app;
}

function announce(config: AppConfig, firstKey: string | null): void {
  if (firstKey !== null) {
    say(`First API key (admin), shown once and kept in ${config.get('DATA_DIR')}/initial-api-key: ${firstKey}`);
  }
  const allowed = config.get('ALLOW_PRIVATE_TARGETS');
  if (allowed !== true && allowed.length === 0) {
    say('Private targets are refused; allow them with ALLOW_PRIVATE_TARGETS=true, or ranges such as 127.0.0.0/8');
  }
  const { origin } = config;
  say(`Daywatch is ready: API ${origin}/v1, explorer ${origin}/docs, application ${origin}/`);
}

function stopOnSignal(app: NestExpressApplication, embedded: EmbeddedPostgres | null, logger: PinoLogger): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logger.log('stopping');
    const deadline = setTimeout(() => app.getHttpServer().closeAllConnections(), STOP_WITHIN_MS - 4_000);
    setTimeout(() => process.exit(TRY_AGAIN), STOP_WITHIN_MS).unref();
    try {
      await app.close();
      await embedded?.stop();
      process.exitCode = 0;
    } catch (error) {
      logger.error('the stop was not clean', error);
      process.exitCode = 1;
    }
    clearTimeout(deadline);
    process.exit();
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
}

try {
  await main();
} catch (error) {
  process.stderr.write(`Daywatch cannot start: ${reasonOf(error)}\n`);
  process.exit(exitCodeOf(error));
}
