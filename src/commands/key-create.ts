import { parseArgs } from 'node:util';
import { type INestApplicationContext } from '@nestjs/common';
import { Transactions } from '../database/tx.js';
import { readDefinition } from '../modules/api-keys/api-key-definition.js';
import { ApiKeysService, SYSTEM } from '../modules/api-keys/api-keys.service.js';
import { type TeamSummary, TeamsService } from '../modules/teams/teams.service.js';
import { runKeyCommand } from './key-context.js';

/**
 * `npm run key:create -- [--name <name>] [--scopes read,write] [--team <id or name>]`: creates and prints an API key.
 */
await runKeyCommand(async (context) => {
  const { name, scopes, team } = parseArgs({
    options: {
      name: { type: 'string', default: 'Created by command' },
      scopes: { type: 'string', default: 'admin' },
      team: { type: 'string' },
    },
  }).values;
  const definition = readDefinition({ name, scopes: scopes.split(',').map((one) => one.trim()) }, Date.now());
  const { id } = await theTeam(context, team);
  const keys = context.get(ApiKeysService);
  const transactions = context.get(Transactions);
  return (await transactions.run((tx) => keys.mint(tx, id, definition, SYSTEM))).secret;
});

async function theTeam(context: INestApplicationContext, idOrName: string | undefined): Promise<TeamSummary> {
  const [team, ...others] = await context.get(TeamsService).find(idOrName);
  if (!team)
    throw new Error(
      idOrName === undefined
        ? 'There is no team yet. Start the service once, or run: npm run team:create -- <name>'
        : `There is no team with the id or name "${idOrName}".`,
    );
  if (others.length === 0) return team;
  const list = [team, ...others].map(({ id, name }) => `  ${id}  ${name}`);
  throw new Error(['There are several teams. Choose one with --team <id>:', ...list].join('\n'));
}
