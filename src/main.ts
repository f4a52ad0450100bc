import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type AddressInfo } from 'node:net';
import { AppModule } from './app.module.js';
import { setUp } from './app.setup.js';
import { type AppConfig, ConfigError, readConfig } from './config/app-config.js';
import { originOf } from './config/origin-of.js';
import { dataSource } from './database/data-source.js';
import { EmbeddedPostgres } from './database/embedded/embedded-postgres.js';
import { migrate } from './database/migrate.js';
import { assertQueues } from './database/queues.js';
import { assertSecretKey, loadSecretKey } from './database/secret-key.js';
import { assertShards } from './database/shards.js';
import { exitCodeOf, reasonOf, TRY_AGAIN, WRONG_SETTINGS } from './exit-code.js';
import { APPLICATION_OPTIONS } from './http/conventions.js';
import { BootstrapService } from './modules/api-keys/bootstrap.service.js';
import { type UnheardCount, UnheardMonitors } from './modules/notification-policies/unheard-monitors.service.js';
import { SetupService } from './modules/people/setup.service.js';
import { MetricsListenerService } from './modules/metrics/metrics-listener.service.js';
import { PinoLogger } from './pino-logger.js';
import { type RedisLinks } from './redis/redis-links.js';
import { queuesPlace } from './redis/queues-place.js';
import { REDIS } from './redis/redis.module.js';
import { WorkerModule } from './worker.module.js';

/** A clean stop takes at most 5 s (see `CheckFlowService`); a process that hangs is forced to exit after this time. */
const STOP_WITHIN_MS = 10_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** What has been started so far and must be stopped. */
interface Running {
  embedded: EmbeddedPostgres | null;
  app: NestExpressApplication | null;
  /** Set when a signal arrives: whatever is still starting is stopped as soon as possible. */
  stopping: boolean;
}

async function main(): Promise<void> {
  const settings = readConfig();
  const logger = new PinoLogger(settings.get('LOG_LEVEL'));
  // An unhandled rejection must not end the process, because that would stop all monitoring.
  process.on('unhandledRejection', (reason) => logger.error('unhandled rejection', reason));
  const running: Running = { embedded: null, app: null, stopping: false };
  const started = start(settings, running, logger);
  const stop = stopOnSignal(running, started, logger);
  try {
    await started;
  } catch (error) {
    if (running.stopping) return;
    await running.app?.close().catch(() => undefined);
    await running.embedded?.stop();
    throw error;
  }
  // The API and notifications work without Redis.
  if (!settings.has('dispatcher', 'worker', 'recorder')) return;
  void running.app?.get<RedisLinks | null>(REDIS)?.refused.then((reason) => {
    logger.fatal(`Redis refuses this process, so REDIS_URL, REDIS_PREFIX or LOCATION is wrong: ${reason}`, 'Redis');
    return stop(WRONG_SETTINGS);
  });
}

async function start(settings: AppConfig, running: Running, logger: PinoLogger): Promise<void> {
  if (settings.isWorker) return startWorker(settings, running, logger);
  running.embedded = await startEmbedded(settings, logger);
  const located = running.embedded ? settings.withEmbedded(running.embedded.url) : settings;
  const config = located.with({ SECRET_KEY: await loadSecretKey(settings) });
  if (running.stopping) return;
  await prepareDatabase(config);
  if (running.stopping) return;
  await startApplication(config, running, logger);
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
    const redis = config.get('REDIS_URL');
    if (redis === null) return;
    await assertShards(source, config.get('SHARDS'));
    await assertQueues(source, queuesPlace(redis, config.get('REDIS_PREFIX')));
  } finally {
    await source.destroy();
  }
}

async function startApplication(config: AppConfig, running: Running, logger: PinoLogger): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(config), {
    ...APPLICATION_OPTIONS,
    logger,
    abortOnError: false,
  });
  running.app = app;
  setUp(app);
  const first = await app.get(BootstrapService).ensureFirstTeam();
  // Each preparation replaces the token of earlier ones, and only a process with the application has a setup page.
  const setupToken = config.has('api') ? await app.get(SetupService).prepare() : null;
  const address = await listen(app, config);
  const secrets = { firstKey: first?.secret ?? null, setupToken };
  // Only a process with the application has a page that lists them.
  const unheard = config.has('api') ? await unheardMonitors(app, logger) : NOBODY_UNHEARD;
  announceMetrics(app);
  announce(config, secrets, unheard);
  if (!config.has('api')) announceHelper(config, address);
}

async function startWorker(config: AppConfig, running: Running, logger: PinoLogger): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(WorkerModule.of(config), {
    logger,
    abortOnError: false,
  });
  running.app = app;
  const address = await listen(app, config);
  announceMetrics(app);
  announceTargets(config);
  announceHelper(config, address);
}

/** Starts to listen, and returns the origin. @throws ConfigError if `HOST` is not an address of this machine */
async function listen(app: NestExpressApplication, config: AppConfig): Promise<string> {
  const host = config.get('HOST');
  try {
    await app.listen(config.get('PORT'), host);
  } catch (error) {
    const { code, message, ...fault } = error as NodeJS.ErrnoException & { hostname?: string; address?: string };
    const isHost = (fault.hostname ?? fault.address) === host;
    if (!isHost || (code !== 'ENOTFOUND' && code !== 'EADDRNOTAVAIL')) throw error;
    throw new ConfigError([`HOST must be an address of this machine: ${message}`]);
  }
  const origin = originOf(app.getHttpServer().address() as AddressInfo);
  config.listensOn(origin);
  return origin;
}

function announceMetrics(app: NestExpressApplication): void {
  const { origin } = app.get(MetricsListenerService);
  if (origin !== null) say(`Metrics: ${origin}/metrics`);
}

/** Prints that private targets are blocked, if they are and this process makes checks or accepts monitors. */
function announceTargets(config: AppConfig): void {
  const allowed = config.get('ALLOW_PRIVATE_TARGETS');
  const uses = config.has('api') || config.has('worker');
  if (!uses || allowed === true || allowed.length > 0) return;
  say(
    'Private targets are blocked. Set ALLOW_PRIVATE_TARGETS to true, or to ranges such as 127.0.0.0/8, to allow them.',
  );
}

/** Says that a process without the API is ready. `PUBLIC_URL` does not lead to it. */
function announceHelper(config: AppConfig, address: string): void {
  say(`Daywatch is ready: ${config.get('ROLES').join(', ')}; health ${address}/readyz`);
}

const NOBODY_UNHEARD: UnheardCount = { unheard: 0, total: 0 };

/** The service is ready without this figure. */
async function unheardMonitors(app: NestExpressApplication, logger: PinoLogger): Promise<UnheardCount> {
  return app
    .get(UnheardMonitors)
    .count()
    .catch((error: unknown) => {
      logger.warn('could not count the monitors whose outages nobody is notified of', error);
      return NOBODY_UNHEARD;
    });
}

/** Secrets that appear only in these lines or in a file that the operator owns. */
interface Secrets {
  firstKey: string | null;
  setupToken: string | null;
}

function announce(config: AppConfig, { firstKey, setupToken }: Secrets, { unheard, total }: UnheardCount): void {
  if (firstKey !== null) {
    say(`First API key (admin), printed once and saved in ${config.get('DATA_DIR')}/initial-api-key: ${firstKey}`);
  }
  announceTargets(config);
  const { origin } = config;
  if (unheard > 0) {
    say(`Nobody is notified of outages of ${unheard} of ${total} monitors: ${origin}/monitors?notified=false`);
  }
  if (setupToken !== null) say(`Set up the application: ${origin}/setup?token=${setupToken}`);
  if (config.has('api')) {
    say(`Daywatch is ready: API ${origin}/v1, API reference ${origin}/docs, application ${origin}/`);
  }
}

/** Returns what stops the process with an exit code, as a signal does with 0. */
function stopOnSignal(running: Running, started: Promise<void>, logger: PinoLogger): (code: number) => Promise<void> {
  const stop = async (code: number): Promise<void> => {
    if (running.stopping) return;
    running.stopping = true;
    logger.log('stopping');
    setTimeout(() => process.exit(code || TRY_AGAIN), STOP_WITHIN_MS).unref();
    try {
      await started.catch(() => undefined);
      await running.app?.close();
      await running.embedded?.stop();
      process.exit(code);
    } catch (error) {
      logger.error('the shutdown failed', error);
      process.exit(1);
    }
  };
  process.on('SIGTERM', () => void stop(0));
  process.on('SIGINT', () => void stop(0));
  return stop;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`Daywatch cannot start: ${reasonOf(error)}\n`);
  process.exit(exitCodeOf(error));
}
