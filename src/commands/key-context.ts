import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type AppConfig, ConfigError, readConfig } from '../config/app-config.js';
import { ConfigModule } from '../config/config.module.js';
import { commandDatabaseUrl } from '../database/command-url.js';
import { DatabaseModule } from '../database/database.module.js';
import { migrate } from '../database/migrate.js';
import { assertSecretKey, loadSecretKey } from '../database/secret-key.js';
import { HttpModule } from '../http/http.module.js';
import { ProblemException } from '../http/problem.js';
import { ApiKeysModule } from '../modules/api-keys/api-keys.module.js';
import { TeamsModule } from '../modules/teams/teams.module.js';
import { DataSource } from 'typeorm';

@Module({})
class KeyCommandModule {}

/** The services of teams and API keys, without the rest of the application: neither HTTP nor schedules. */
export function openKeyContext(config: AppConfig): Promise<INestApplicationContext> {
  const imports = [ConfigModule.of(config), DatabaseModule, HttpModule, TeamsModule, ApiKeysModule];
  return NestFactory.createApplicationContext(
    { module: KeyCommandModule, imports },
    { logger: false, abortOnError: false },
  );
}

/**
 * Runs a command on teams and keys, beside the running service or without it, and prints what it returns alone on the
 * last line. Sets the exit code: 0, 78 for wrong settings, 1 for anything else, with the reason on standard error.
 */
export async function runKeyCommand(work: (context: INestApplicationContext) => Promise<string>): Promise<void> {
  try {
    const settings = readConfig();
    const url = await commandDatabaseUrl();
    await migrate(url);
    const config = settings.with({ DATABASE_URL: url, SECRET_KEY: await loadSecretKey(settings) });
    const context = await openKeyContext(config);
    try {
      await assertSecretKey(context.get(DataSource), config.get('SECRET_KEY')!);
      process.stdout.write(`${await work(context)}\n`);
    } finally {
      await context.close();
    }
  } catch (error) {
    process.stderr.write(`${reason(error)}\n`);
    process.exitCode = error instanceof ConfigError ? 78 : 1;
  }
}

function reason(error: unknown): string {
  if (error instanceof ProblemException) return (error.errors ?? []).map(({ detail }) => detail).join('\n');
  return error instanceof Error ? error.message : String(error);
}
