import { type TeamId } from '../../src/http/auth/principal.js';
import { type TestApp } from './app.js';
import { type Browser } from './browser.js';
import { makePerson, signIn, type TestPerson } from './people.js';

/** Creates a team with an owner who is signed in. */
export async function newTeam(
  app: TestApp,
  name = 'Acme',
): Promise<{ id: TeamId; owner: Browser & { person: TestPerson } }> {
  const [row] = await app.query<{ id: TeamId }>(
    'INSERT INTO teams (id, name) VALUES (gen_random_uuid(), $1) RETURNING id',
    [name],
  );
  const person = await makePerson(app, row!.id, 'owner', 'Olga');
  return { id: row!.id, owner: Object.assign(await signIn(app, person), { person }) };
}

export const membersOf = (app: TestApp, teamId: TeamId): Promise<{ user_id: string; role: string }[]> =>
  app.query('SELECT user_id, role FROM members WHERE team_id = $1', [teamId]);
