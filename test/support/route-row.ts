import { type Scope } from '../../src/http/auth/principal.js';
import { type TestApp, type TestTeam } from './app.js';
import { type Target } from './target.js';

/** One route of the API, and what the table of routes needs to call it. */
export interface RouteRow {
  method: string;
  /** As it is registered; `:id` names the resource of the row. */
  path: string;
  /** The weakest scope that may call it. */
  scope: Scope;
  success: number;
  body?: Record<string, unknown>;
  /** A key that names nothing yet is given to what it makes. */
  makes?: true;
  bad: { status: 400 | 422; query?: string; body?: Record<string, unknown> };
  /** Makes what the body of a success names. */
  prepare?: (setting: Setting, team: TestTeam) => Promise<void>;
  /** Makes a resource in a team: its values for the variables of the path. */
  arrange?: (setting: Setting, team: TestTeam) => Promise<Record<string, string>>;
}

export interface Setting {
  app: TestApp;
  target: Target;
}
