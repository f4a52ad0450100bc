import { type INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { openKeyContext } from '../../src/commands/key-context.js';
import { readConfig } from '../../src/config/app-config.js';
import { Transactions } from '../../src/database/tx.js';
import { type Scope, type TeamId } from '../../src/http/auth/principal.js';
import { ApiKey } from '../../src/modules/api-keys/api-key.entity.js';
import { ApiKeysService, SYSTEM } from '../../src/modules/api-keys/api-keys.service.js';
import { type Caller } from '../../src/modules/api-keys/key-writer.types.js';
import { TeamsService } from '../../src/modules/teams/teams.service.js';
import { createTestDatabase } from './database.js';

export const STAGE_SECRET_KEY = 'k'.repeat(32);

/** A key and its secret. */
export type MintedKey = Caller & { secret: string };

/** The services of keys and teams on a separate database, without HTTP and schedules. */
export interface KeyStage {
  context: INestApplicationContext;
  source: DataSource;
  newTeam(): Promise<TeamId>;
  mint(teamId: TeamId, scopes: Scope[], expiresAt?: Date | null): Promise<MintedKey>;
  /** All stored keys. */
  rows(): Promise<ApiKey[]>;
  close(): Promise<void>;
}

export async function openKeyStage(): Promise<KeyStage> {
  const database = await createTestDatabase();
  const context = await openKeyContext(readConfig({ DATABASE_URL: database.url, SECRET_KEY: STAGE_SECRET_KEY }));
  const source = context.get(DataSource);
  const transactions = context.get(Transactions);
  return {
    context,
    source,
    newTeam: () => transactions.run((tx) => context.get(TeamsService).create(tx, 'Team')),
    mint: async (teamId, scopes, expiresAt = null) => {
      const definition = { name: 'key', scopes, expiresAt };
      const { id, prefix, secret } = await transactions.run((tx) =>
        context.get(ApiKeysService).mint(tx, teamId, definition, SYSTEM),
      );
      return { keyId: id, name: definition.name, teamId, scopes, prefix, secret };
    },
    rows: () => source.getRepository(ApiKey).find({ order: { id: 'ASC' } }),
    close: async () => {
      await context.close();
      await database.drop();
    },
  };
}
