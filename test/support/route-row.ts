import { type Scope } from '../../src/http/auth/principal.js';
import { type TestApp, type TestTeam } from './app.js';
import { type Target } from './target.js';

/** One route of the API, with the details that the table test needs to call it. */
export interface RouteRow {
  method: string;
  /** The path as registered; `:id` is the resource of the row. */
  path: string;
  /** The weakest scope that may call the route. */
  scope: Scope;
  success: number;
  body?: Record<string, unknown>;
  /** Whether a call with an unused `key:` creates the resource with that key. */
  makes?: true;
  /** Whether the resource belongs to the installation, and every key may read it. */
  ofAllTeams?: true;
  bad: { status: 400 | 422; query?: string; body?: Record<string, unknown> };
  /** Creates the resources to which `body` refers. */
  prepare?: (setting: Setting, team: TestTeam) => Promise<void>;
  /** Creates a resource in a team. Returns the values of the path's variables. */
  arrange?: (setting: Setting, team: TestTeam) => Promise<Record<string, string>>;
}

export interface Setting {
  app: TestApp;
  target: Target;
}
