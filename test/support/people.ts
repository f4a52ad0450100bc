import { randomUUID } from 'node:crypto';
import { Transactions } from '../../src/database/tx.js';
import { type Role } from '../../src/domain/role.js';
import { type TeamId } from '../../src/http/principal.js';
import { SetupService } from '../../src/modules/people/setup.service.js';
import { MembersService } from '../../src/modules/teams/members.service.js';
import { UsersService } from '../../src/modules/users/users.service.js';
import { type TestApp } from './app.js';
import { Browser } from './browser.js';

export const PASSWORD = 'four words of some length';

export interface TestPerson {
  userId: string;
  name: string;
  email: string;
}

/** A person in a team, without a browser yet. Their password is `PASSWORD`. */
export async function makePerson(app: TestApp, teamId: TeamId, role: Role, name = 'A person'): Promise<TestPerson> {
  const users = app.nest.get(UsersService, { strict: false });
  const user = await users.prepare({ name, email: `${randomUUID()}@example.com`, password: PASSWORD });
  await app.nest.get(Transactions, { strict: false }).run(async (tx) => {
    await users.insert(tx, user);
    await app.nest.get(MembersService, { strict: false }).add(tx, { teamId, userId: user.id, role });
  });
  return { userId: user.id, name, email: user.email };
}

/** Lets somebody be in a further team. */
export async function addMember(app: TestApp, teamId: TeamId, userId: string, role: Role): Promise<void> {
  const members = app.nest.get(MembersService, { strict: false });
  await app.nest.get(Transactions, { strict: false }).run((tx) => members.add(tx, { teamId, userId, role }));
}

/** A browser in which somebody has signed in. */
export async function signIn(app: TestApp, { email }: TestPerson, password = PASSWORD): Promise<Browser> {
  const browser = new Browser(app.origin);
  await browser.open('/sign-in');
  const { status, path } = await browser.submit('/sign-in', { email, password });
  if (status !== 200 || path !== '/') throw new Error(`${email} could not sign in: ${status} ${path}`);
  return browser;
}

/** A person of this role in our team, signed in. */
export async function signedIn(app: TestApp, role: Role): Promise<Browser & { person: TestPerson }> {
  const person = await makePerson(app, app.teams.ours.id, role);
  return Object.assign(await signIn(app, person), { person });
}

/** As at a start: the token of the set-up page, null where it is not wanted any more. */
export async function prepareSetup(app: TestApp): Promise<string | null> {
  // A start makes sure of the secret key first, which leaves this row.
  await app.query(`INSERT INTO instance (id, secret_key_fingerprint) VALUES (1, 'x') ON CONFLICT DO NOTHING`);
  return app.nest.get(SetupService, { strict: false }).prepare();
}
