import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { type AppConfig } from '../config/app-config.js';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { migrate } from '../database/migrate.js';
import { assertSecretKey, loadSecretKey } from '../database/secret-key.js';
import { HttpModule } from '../http/http.module.js';
import { ProblemException } from '../http/problems/problem.js';
import { ApiKeysModule } from '../modules/api-keys/api-keys.module.js';
import { PeopleModule } from '../modules/people/people.module.js';
import { TeamsModule } from '../modules/teams/teams.module.js';
import { UsersModule } from '../modules/users/users.module.js';
import { runCommand, say, withDatabase } from './command.js';

@Module({})
class KeyCommandModule {}

/**
 * Returns the services for teams, API keys and people, and those of `more` modules, without the rest of the application:
 * no HTTP server, no schedules.
 */
export function openKeyContext(config: AppConfig, more: readonly Type[] = []): Promise<INestApplicationContext> {
  const imports = [
    ...more,
    ConfigModule.of(config),
    DatabaseModule,
    HttpModule,
    TeamsModule,
    ApiKeysModule,
    PeopleModule,
    UsersModule,
  ];
  return NestFactory.createApplicationContext(
    { module: KeyCommandModule, imports },
    { logger: false, abortOnError: false },
  );
}

/**
 * Runs a command on teams, keys, people or what `more` modules own, whether or not the service is running, and prints what
 * `work` returns alone on the last line. The exit codes are those of `runCommand`.
 */
export function runKeyCommand(
  work: (context: INestApplicationContext) => Promise<string>,
  more: readonly Type[] = [],
): Promise<void> {
  return runCommand((settings) =>
    withDatabase(settings, async (url) => {
      await migrate(url);
      const config = settings.with({ DATABASE_URL: url, SECRET_KEY: await loadSecretKey(settings) });
      const context = await openKeyContext(config, more);
      try {
        await assertSecretKey(context.get(DataSource), config.get('SECRET_KEY')!);
        say(await work(context).catch(faultsOfValues));
      } finally {
        await context.close();
      }
    }),
  );
}

/** Replaces a validation error by one whose message lists what is wrong with each value. */
function faultsOfValues(error: unknown): never {
  if (!(error instanceof ProblemException) || !error.errors) throw error;
  throw new Error(error.errors.map(({ detail }) => detail).join('\n'), { cause: error });
}
