/**
 * A process that runs services for tests in another process, each on 127.0.0.1 and a free port, so that the framework
 * is loaded once for all of them. Tests send it `HostCall`s over HTTP, at the origin that it reports on one line of
 * standard output. It ends when its standard input closes, which happens even when the test process is killed.
 */
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { AppModule } from '../../src/app.module.js';
import { setUp } from '../../src/app.setup.js';
import { type AppConfig, readConfig } from '../../src/config/app-config.js';
import { isDatabaseAway } from '../../src/database/database-fault.js';
import { APPLICATION_OPTIONS } from '../../src/http/conventions.js';
import { MetricsListenerService } from '../../src/modules/metrics/metrics-listener.service.js';
import { PinoLogger } from '../../src/pino-logger.js';
import { BackstageServer } from './backstage-server.js';
import { createTestDatabase } from './database.js';
import { type HostCall, type HostedService } from './host-calls.js';
import { NO_LIMITS } from './no-limits.js';
import { PATIENCE } from './patience.js';
import { ON_REDIS, REDIS_URL, RedisSpace } from './redis-space.js';
import { TEST_SECRET_KEY } from './secret-key.js';
import { fromWire, toWire } from './wire.js';

/** The settings of every service under test, unless a test overrides them. */
const SETTINGS = {
  SECRET_KEY: TEST_SECRET_KEY,
  ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  ALLOW_PRIVATE_CHANNELS: '127.0.0.0/8',
  // Channels of type email can be created, but nothing listens there.
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Daywatch <alerts@daywatch.example>',
  MIN_INTERVAL_SECONDS: '1',
  LOG_LEVEL: 'silent',
  ...NO_LIMITS,
};

const home = mkdtempSync(join(tmpdir(), 'daywatch-host-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));
process.stdin.resume().once('close', () => process.exit(0));

/** A service under test. */
interface Running {
  nest: NestExpressApplication;
  backstage: BackstageServer;
  /** Its keys in Redis; null if its queue is in its memory. */
  space: RedisSpace | null;
}

const running = new Map<string, Running>();
/** The services that test files share, by their settings. */
const shared = new Map<string, Promise<HostedService>>();

const server = createServer((request, response) => {
  text(request)
    .then((call) => answer(fromWire(call) as HostCall))
    .then(
      (value) => response.end(toWire(value)),
      (error: unknown) => response.writeHead(500).end(toWire(error instanceof Error ? error.stack : error)),
    );
});
// Callers close idle connections. If the server did, a request could arrive on a connection that it is closing.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

function answer(call: HostCall): unknown {
  switch (call.kind) {
    case 'start':
      return start(call.databaseUrl, call.settings);
    case 'share':
      return share(call.settings);
    case 'stop':
      return stop(call.origin, call.atOnce);
    case 'backstage':
      return running.get(call.origin)!.backstage.answer(call.call);
  }
}

/** On a busy machine, connecting to the database may take longer than the service waits: then it tries again. */
async function create(config: AppConfig): Promise<NestExpressApplication> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await NestFactory.create<NestExpressApplication>(AppModule.of(config), {
        ...APPLICATION_OPTIONS,
        logger: new PinoLogger(config.get('LOG_LEVEL')),
        abortOnError: false,
      });
    } catch (error) {
      if (attempt === PATIENCE || !isDatabaseAway(error)) throw error;
    }
  }
}

async function start(databaseUrl: string, settings: Record<string, string>): Promise<HostedService> {
  const dataDir = mkdtempSync(join(home, 'data-'));
  const space = ON_REDIS ? new RedisSpace() : null;
  const queue = space && { REDIS_URL, REDIS_PREFIX: space.prefix };
  const own = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...queue };
  const config = readConfig({ ...SETTINGS, ...own, ...settings });
  const nest = await create(config);
  setUp(nest);
  await nest.listen(0, '127.0.0.1');
  const origin = `http://127.0.0.1:${(nest.getHttpServer().address() as AddressInfo).port}`;
  config.listensOn(origin);
  running.set(origin, { nest, backstage: new BackstageServer(nest), space });
  return { origin, databaseUrl, metricsOrigin: nest.get(MetricsListenerService, { strict: false }).origin };
}

function share(settings: Record<string, string>): Promise<HostedService> {
  const name = JSON.stringify(Object.entries(settings).sort());
  let service = shared.get(name);
  if (!service) shared.set(name, (service = createTestDatabase().then(({ url }) => start(url, settings))));
  return service;
}

/** Stops a service; `atOnce` also closes the connections that clients leave open. */
async function stop(origin: string, atOnce: boolean): Promise<void> {
  const service = running.get(origin);
  running.delete(origin);
  const closed = service?.nest.close();
  if (atOnce) service?.nest.getHttpServer().closeAllConnections();
  await closed;
  await service?.space?.close();
}
