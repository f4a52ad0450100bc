import { parseArgs } from 'node:util';
import { AppConfig } from '../config/app-config.js';
import { ResetLinks } from '../modules/people/reset-links.service.js';
import { UsersService } from '../modules/users/users.service.js';
import { runKeyCommand } from './key-context.js';

/** `npm run password:reset -- <email>`: prints a link with which a person sets a new password, without a mail server. */
await runKeyCommand(async (context) => {
  const [email, ...more] = parseArgs({ allowPositionals: true }).positionals;
  if (!email || more.length > 0) throw new Error('Specify one email address: npm run password:reset -- <email>');
  const user = await context.get(UsersService).findByEmail(email);
  if (!user) throw new Error(`There is no account with the email address "${email}".`);
  const token = await context.get(ResetLinks).createUnlimited(user.id);
  return `${context.get(AppConfig).origin}/reset-password/${token}`;
});
