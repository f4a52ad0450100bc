import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { managerOf, Transactions } from '../../database/tx.js';
import { TeamsService } from '../teams/teams.service.js';
import { ApiKeysService, SYSTEM } from './api-keys.service.js';

const FILE = 'initial-api-key';
/** An arbitrary constant. Of processes that start together on an empty database, only one creates the team. */
const FIRST_TEAM_LOCK = 718_201_002;

/** Ensures that an installation has a team, and that its operator has an API key for it. */
@Injectable()
export class BootstrapService {
  constructor(
    private readonly config: AppConfig,
    private readonly transactions: Transactions,
    private readonly teams: TeamsService,
    private readonly keys: ApiKeysService,
  ) {}

  /**
   * Creates a team with an admin key on a database without a team. Returns the secret of the key and writes it to
   * `DATA_DIR/initial-api-key` (0600, alone on one line). Returns null if a team already exists, and in all but one of
   * several processes that start together. Throws, and creates nothing, if the file cannot be written.
   */
  ensureFirstTeam(): Promise<{ secret: string } | null> {
    return this.transactions.run(async (tx) => {
      await managerOf(tx).query('SELECT pg_advisory_xact_lock($1)', [FIRST_TEAM_LOCK]);
      if ((await this.teams.count(tx)) > 0) return null;
      const teamId = await this.teams.create(tx, 'Default');
      const definition = { name: 'Initial admin key', scopes: ['admin' as const], expiresAt: null };
      const { secret } = await this.keys.mint(tx, teamId, definition, SYSTEM);
      // Before the commit: a crash here leaves a file that the next start replaces, never a team without a key.
      await keep(this.config.get('DATA_DIR'), secret);
      return { secret };
    });
  }
}

async function keep(directory: string, secret: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = join(directory, `.${FILE}.${process.pid}`);
  await rm(draft, { force: true });
  await writeFile(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await rename(draft, join(directory, FILE));
  const folder = await open(directory);
  await folder.sync().finally(() => folder.close());
}
