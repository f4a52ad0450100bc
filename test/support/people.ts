import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type Role } from '../../src/domain/role.js';
import { type TeamId } from '../../src/http/auth/principal.js';
import { type SetupService } from '../../src/modules/people/setup.service.js';
import { type TestApp } from './app.js';
import { Browser } from './browser.js';

export const PASSWORD = 'four words of some length';
/** The stored hash of `PASSWORD`. Computing it takes longer than most tests. */
const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$xXFheZoCjrsmofgnVYdP7A$94qgl4al4CaNXg3LQP7uL2e7uI4JQExjf2aiHynIJpE';

export interface TestPerson {
  userId: string;
  name: string;
  email: string;
}

/** Creates a member of a team with the password `PASSWORD`, not signed in. */
export async function makePerson(app: TestApp, teamId: TeamId, role: Role, name = 'A person'): Promise<TestPerson> {
  const [userId, email] = [randomUUID(), `${randomUUID()}@example.com`];
  await app.query('INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, $3, $4)', [
    userId,
    email,
    name,
    PASSWORD_HASH,
  ]);
  await addMember(app, teamId, userId, role);
  return { userId, name, email };
}

/** Adds a person to another team. */
export async function addMember(app: TestApp, teamId: TeamId, userId: string, role: Role): Promise<void> {
  await app.query('INSERT INTO members (team_id, user_id, role) VALUES ($1, $2, $3)', [teamId, userId, role]);
}

/** Signs a person in through the form. */
export async function signInByForm(app: TestApp, { email }: TestPerson, password = PASSWORD): Promise<Browser> {
  const browser = new Browser(app.origin);
  await browser.open('/sign-in');
  const { status, path } = await browser.submit('/sign-in', { email, password });
  if (status !== 200 || path !== '/') throw new Error(`${email} could not sign in: ${status} ${path}`);
  return browser;
}

/** Returns a browser on the page `/` in which a person is signed in to the team that they joined first. */
export async function signIn(app: TestApp, { userId, email }: TestPerson): Promise<Browser> {
  const browser = new Browser(app.origin);
  const token = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(token).digest();
  await app.query(
    `INSERT INTO sessions (id, token_hash, user_id, team_id, created_at, last_seen_at, expires_at)
     SELECT gen_random_uuid(), $2, user_id, team_id, now(), now(), now() + interval '30 days'
     FROM members WHERE user_id = $1 ORDER BY created_at LIMIT 1`,
    [userId, hash],
  );
  browser.cookies.set('dw_session', token);
  const { status, path } = await browser.open('/');
  if (status !== 200 || path !== '/') throw new Error(`${email} is not signed in: ${status} ${path}`);
  return browser;
}

/** Creates a person with this role in our team, and signs them in. */
export async function signedIn(app: TestApp, role: Role): Promise<Browser & { person: TestPerson }> {
  const person = await makePerson(app, app.teams.ours.id, role);
  return Object.assign(await signIn(app, person), { person });
}

/** Prepares the setup as a start does. Returns the token of the setup page; null if the setup is done. */
export async function prepareSetup(app: TestApp): Promise<string | null> {
  // A start first verifies the secret key, which inserts this row.
  await app.query(`INSERT INTO instance (id, secret_key_fingerprint) VALUES (1, 'x') ON CONFLICT DO NOTHING`);
  return app.backstage.provider<SetupService>('SetupService').prepare();
}
