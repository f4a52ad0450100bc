/** Writes the OpenAPI document of the service that was compiled into the given folder there, as JSON and as YAML. */
import { NestFactory } from '@nestjs/core';
import { stringify } from 'yaml';
import { writeFileSync } from 'node:fs';
import { argv } from 'node:process';

const [, , out] = argv;
const compiled = (path) => import(new URL(`../${out}/src/${path}`, import.meta.url));

const { AppModule } = await compiled('app.module.js');
const { openApiDocument } = await compiled('api-document.js');
const { readConfig } = await compiled('config/app-config.js');
const { APPLICATION_OPTIONS } = await compiled('http/conventions.js');

// In a preview, no provider is created, so nothing connects to the database or uses the key.
const config = readConfig({ DATABASE_URL: 'postgresql://127.0.0.1/none', SECRET_KEY: 'x'.repeat(32) });
const app = await NestFactory.create(AppModule.of(config), { ...APPLICATION_OPTIONS, logger: false, preview: true });
const json = JSON.stringify(openApiDocument(app));
writeFileSync(`${out}/openapi.json`, json);
writeFileSync(`${out}/openapi.yaml`, stringify(JSON.parse(json), { aliasDuplicateObjects: false }));
