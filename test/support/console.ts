import { type TestApp } from './app.js';
import { type Browser } from './browser.js';
import { createMonitor, httpMonitor } from './monitors.js';
import { makePerson, signIn } from './people.js';

/** Text that another user could have entered in any field. */
export const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)> javascript:alert(1) '\${7*7}`;

/** Creates a paused monitor, which is never checked, so that nothing about it changes by itself. Returns its id. */
export async function quietMonitor(app: TestApp, name: string, team = app.teams.ours): Promise<string> {
  const definition = httpMonitor('http://127.0.0.1:9/', { name, paused: true });
  return (await createMonitor(app.api(team.write), definition)).id;
}

/** Returns the browser of an owner of the other team, signed in. */
export async function stranger(app: TestApp): Promise<Browser> {
  return signIn(app, await makePerson(app, app.teams.theirs.id, 'owner'));
}
