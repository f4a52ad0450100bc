import { type ModuleMetadata } from '@nestjs/common';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { readConfig } from '../../src/config/app-config.js';
import { ConfigModule } from '../../src/config/config.module.js';
import { DatabaseModule } from '../../src/database/database.module.js';
import { HttpModule } from '../../src/http/http.module.js';

/** Builds a part of the service: some of its modules, with what all of them need, on a database of these settings. */
export function serviceModule(
  settings: Readonly<Record<string, string>>,
  modules: NonNullable<ModuleMetadata['imports']>,
): TestingModuleBuilder {
  const config = readConfig({ SECRET_KEY: 'k'.repeat(32), ...settings });
  return Test.createTestingModule({ imports: [ConfigModule.of(config), DatabaseModule, HttpModule, ...modules] });
}
