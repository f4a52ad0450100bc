import { parseArgs } from 'node:util';
import { Transactions } from '../database/tx.js';
import { readDefinition } from '../modules/api-keys/api-key-definition.js';
import { ApiKeysService, SYSTEM } from '../modules/api-keys/api-keys.service.js';
import { TeamsService } from '../modules/teams/teams.service.js';
import { runKeyCommand } from './key-context.js';

const MAX_NAME_LENGTH = 200;

/** `npm run team:create -- <name>`: creates a team and prints its admin key. */
await runKeyCommand(async (context) => {
  const [name, ...more] = parseArgs({ allowPositionals: true }).positionals;
  if (!name?.trim() || name.length > MAX_NAME_LENGTH || more.length > 0) {
    throw new Error(`Specify one name of at most ${MAX_NAME_LENGTH} characters: npm run team:create -- <name>`);
  }
  const teams = context.get(TeamsService);
  const keys = context.get(ApiKeysService);
  return context.get(Transactions).run(async (tx) => {
    const definition = readDefinition({ name: 'Initial admin key', scopes: ['admin'] }, Date.now());
    const teamId = await teams.create(tx, name.trim());
    return (await keys.mint(tx, teamId, definition, SYSTEM)).secret;
  });
});
