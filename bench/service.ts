import { type DynamicModule, type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type AddressInfo } from 'node:net';
import { AppModule } from '../src/app.module.js';
import { setUp } from '../src/app.setup.js';
import { type AppConfig, readConfig } from '../src/config/app-config.js';
import { APPLICATION_OPTIONS } from '../src/http/conventions.js';
import { BootstrapService } from '../src/modules/api-keys/bootstrap.service.js';
import { PinoLogger } from '../src/pino-logger.js';

/** What the process at the other end of a bench is given. */
export interface ServiceOptions {
  databaseUrl: string;
  secretKey: string;
  settings?: Record<string, string>;
  /** Beside the service's own. */
  controllers?: Type<unknown>[];
}

/** Who signs in to the application, where a bench makes somebody. */
export const OWNER = { email: 'owner@example.com', password: 'four words of some length' };

/** The service without its embedded database, listening on 127.0.0.1 and a free port. */
export async function serve(options: ServiceOptions): Promise<{ app: NestExpressApplication; origin: string }> {
  const app = await NestFactory.create<NestExpressApplication>(moduleOf(options), {
    ...APPLICATION_OPTIONS,
    logger: new PinoLogger('silent'),
  });
  setUp(app);
  return { app, origin: await listen(app) };
}

/** The same without its API. */
export function context(options: ServiceOptions): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(moduleOf(options), { logger: new PinoLogger('silent') });
}

export async function listen(app: NestExpressApplication): Promise<string> {
  await app.listen(0, '127.0.0.1');
  return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
}

/** Makes the first team and its key, which is kept in `dataDir`; gives the key where there was no team yet. */
export async function firstKey(databaseUrl: string, secretKey: string, dataDir: string): Promise<string | null> {
  const app = await context({ databaseUrl, secretKey, settings: { DATA_DIR: dataDir } });
  const first = await app.get(BootstrapService, { strict: false }).ensureFirstTeam();
  await app.close();
  return first?.secret ?? null;
}

function moduleOf({ controllers = [], ...options }: ServiceOptions): DynamicModule {
  @Module({})
  class ServiceModule {}
  return { module: ServiceModule, imports: [AppModule.of(configOf(options))], controllers };
}

function configOf({ databaseUrl, secretKey, settings }: ServiceOptions): AppConfig {
  return readConfig({
    ...{ DATABASE_URL: databaseUrl, SECRET_KEY: secretKey, LOG_LEVEL: 'silent', ALLOW_PRIVATE_TARGETS: 'true' },
    ...{ RATE_LIMIT_PER_MINUTE: '0', RETENTION_DAYS: '3650' },
    ...settings,
  });
}
