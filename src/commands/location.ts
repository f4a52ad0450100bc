import { type INestApplicationContext } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { AppConfig } from '../config/app-config.js';
import { shardsOf } from '../database/shards.js';
import { locationKey } from '../modules/checks/job-secrets.service.js';
import { type LocationDefinition } from '../modules/locations/location-definition.js';
import { LocationWritesModule } from '../modules/locations/location-writes.module.js';
import { LocationWritesService } from '../modules/locations/location-writes.service.js';
import { locationUser, userName } from '../redis/location-user.js';
import { runKeyCommand } from './key-context.js';

const OPTIONS = {
  name: { type: 'string' },
  country: { type: 'string' },
  coordinates: { type: 'string' },
  'canary-targets': { type: 'string' },
  'degraded-after-ms': { type: 'string' },
  enabled: { type: 'string' },
} as const;

const USAGE = `Usage:
  npm run location:create -- <key> [options]
  npm run location:update -- <key> [options]
  npm run location:remove -- <key>
  npm run location:list
Options: --name <name> --country <NL> --coordinates <52.37,4.90> --canary-targets <host:port,…>
  --degraded-after-ms <800> --enabled <true|false>. An empty value removes a setting.`;

const [verb, ...args] = process.argv.slice(2);

/** `npm run location:create`, `location:update`, `location:remove` and `location:list`. */
await runKeyCommand(
  async (context) => {
    const { values, positionals } = readArguments();
    const locations = context.get(LocationWritesService);
    if (verb === 'list' && positionals.length === 0) return list(locations);
    const [key, ...more] = positionals;
    if (key === undefined || more.length > 0) throw new Error(USAGE);
    const changes = changesOf(values);
    if (verb === 'create') return create(context, key, changes);
    if (verb === 'update') {
      await locations.update(key, changes);
      return `Updated the location ${key}. Running processes apply it within two seconds.`;
    }
    await locations.remove(key);
    return `Removed the location ${key}. Remove its user from Redis, too: ${removal(context.get(AppConfig), key)}`;
  },
  [LocationWritesModule],
);

function readArguments(): ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>> {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`, { cause: error });
  }
}

function changesOf(values: Partial<Record<keyof typeof OPTIONS, string>>): Partial<LocationDefinition> {
  const { name, country, coordinates, enabled } = values;
  const canaries = values['canary-targets'];
  const degraded = values['degraded-after-ms'];
  const [latitude, longitude, ...more] = coordinates?.split(',') ?? [];
  if (coordinates && (longitude === undefined || more.length > 0)) throw new Error(USAGE);
  if (enabled !== undefined && enabled !== 'true' && enabled !== 'false') throw new Error(USAGE);
  return {
    ...(name !== undefined && { name }),
    ...(country !== undefined && { country: country || null }),
    ...(coordinates !== undefined && { latitude: numberOf(latitude), longitude: numberOf(longitude) }),
    ...(canaries !== undefined && { canaryTargets: canaries === '' ? [] : canaries.split(',') }),
    ...(degraded !== undefined && { degradedAfterMs: numberOf(degraded) }),
    ...(enabled !== undefined && { enabled: enabled === 'true' }),
  };
}

/** Returns a number, or NaN for something else, which validation rejects. */
function numberOf(text: string | undefined): number | null {
  return text ? Number(text) : null;
}

async function create(context: INestApplicationContext, key: string, changes: Partial<LocationDefinition>) {
  const config = context.get(AppConfig);
  await context.get(LocationWritesService).create({
    key,
    name: key,
    country: null,
    latitude: null,
    longitude: null,
    enabled: true,
    canaryTargets: [],
    degradedAfterMs: null,
    ...changes,
  });
  const prefix = config.get('REDIS_PREFIX');
  const shards = await shardsOf(context.get(DataSource), config.get('SHARDS'));
  const password = randomBytes(24).toString('base64url');
  return `Created the location ${key}. Create its user in Redis:

${locationUser(prefix, key, shards, password)}

Start workers there with these settings, and the address of Redis in place of redis:6379:

ROLES=worker
LOCATION=${key}
LOCATION_KEY=${locationKey(config.get('SECRET_KEY')!, key)}
REDIS_URL=rediss://${userName(prefix, key)}:${password}@redis:6379
REDIS_PREFIX=${prefix}
SHARDS=${shards}`;
}

function removal(config: AppConfig, key: string): string {
  return `ACL DELUSER ${userName(config.get('REDIS_PREFIX'), key)}`;
}

async function list(locations: LocationWritesService): Promise<string> {
  const all = await locations.all();
  return all.map(({ key, name, enabled }) => `${key}  ${name}${enabled ? '' : '  (disabled)'}`).join('\n');
}
