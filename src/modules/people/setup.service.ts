import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppConfig, ConfigError } from '../../config/app-config.js';
import { Instance } from '../../database/instance.entity.js';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { actingAs } from '../../http/auth/actor.js';
import { Guesses } from '../../http/auth/guesses.js';
import { newToken, tokenHash } from '../../http/auth/link-token.js';
import { type TeamId } from '../../http/auth/principal.js';
import { ProblemException, validationFailed } from '../../http/problems/problem.js';
import { readObject } from '../../http/body/validation.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { MembersService } from '../teams/members.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { type PreparedUser, UsersService } from '../users/users.service.js';
import { type Browser } from './signed-in.types.js';

/** An arbitrary constant. Of several people who set up at the same time, only one becomes the owner. */
const FIRST_USER_LOCK = 718_201_003;

/** Creates the first account of an installation: the owner of its first team. */
@Injectable()
export class SetupService {
  private readonly guesses = new Guesses('setup tokens');

  constructor(
    private readonly config: AppConfig,
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly teams: TeamsService,
    private readonly members: MembersService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Prepares the setup at each start. While no account exists, creates the owner if the settings define one; otherwise
   * returns a new token for the setup page, which replaces those of earlier starts. Returns null if there is nothing
   * left to set up. @throws ConfigError if the settings define an invalid owner
   */
  async prepare(): Promise<string | null> {
    if (await this.users.any()) return null;
    const [email, password] = [this.config.get('ADMIN_EMAIL'), this.config.get('ADMIN_PASSWORD')];
    if (email === null || password === null) return this.newToken();
    const name = email.split('@')[0]!;
    const owner = await this.users.prepare({ email, password, name }).catch(asConfigError);
    await this.transactions.run((tx) => this.insertOwner(tx, owner));
    return null;
  }

  /** Returns whether the installation has been set up. */
  isDone(): Promise<boolean> {
    return this.users.any();
  }

  /**
   * Creates the owner (`NewUserDto` and `teamName`, the new name of the first team), starts their session and returns
   * its token. Throws 422 by `/token` for a wrong setup token, 409 once an account exists, and 429 after many wrong
   * tokens.
   */
  async setUp(setupToken: string, body: unknown, browser: Browser): Promise<string> {
    if (await this.users.any()) throw isDone();
    if (!(await this.guesses.guess(browser.address, () => this.isToken(setupToken)))) {
      // If another person has completed the setup in the meantime, the token was the right one, but is used up.
      throw (await this.users.any()) ? isDone() : wrongToken();
    }
    const { teamName, ...person } = readObject(body);
    const owner = await this.users.prepare(person);
    return this.transactions.run(async (tx) => {
      const teamId = await this.insertOwner(tx, owner);
      if (teamId === null) throw isDone();
      const actor = { type: 'person', id: owner.id, name: owner.name } as const;
      await actingAs(actor, () => this.teams.rename(tx, teamId, { name: teamName })).catch(byTeamName);
      return this.sessions.start(tx, { userId: owner.id, teamId }, browser.userAgent);
    });
  }

  /** Stores the owner and returns their team; returns null, without writing anything, if an account already exists. */
  private async insertOwner(tx: Tx, owner: PreparedUser): Promise<TeamId | null> {
    await managerOf(tx).query('SELECT pg_advisory_xact_lock($1)', [FIRST_USER_LOCK]);
    if ((await this.users.count(tx)) > 0) return null;
    const teamId = (await this.teams.first(tx)) ?? (await this.teams.create(tx, 'Default'));
    await this.users.insert(tx, owner);
    await this.members.add(tx, { teamId, userId: owner.id, role: 'owner' });
    await managerOf(tx).update(Instance, { id: 1 }, { setupTokenHash: null });
    return teamId;
  }

  private async newToken(): Promise<string> {
    const token = newToken();
    await this.transactions.run((tx) =>
      managerOf(tx).update(Instance, { id: 1 }, { setupTokenHash: tokenHash(token) }),
    );
    return token;
  }

  private isToken(token: string): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const instance = await managerOf(tx).findOneBy(Instance, { id: 1 });
      const stored = instance?.setupTokenHash ?? null;
      return stored !== null && timingSafeEqual(stored, tokenHash(token));
    });
  }
}

function wrongToken(): ProblemException {
  const detail =
    'The setup token is wrong. Use the one that the service printed when it last started; each start creates a new one.';
  return validationFailed([{ pointer: '/token', code: 'invalid_value', detail }]);
}

function isDone(): ProblemException {
  return new ProblemException(
    409,
    'conflict',
    'The application has already been set up, so the setup token is no longer valid.',
  );
}

/** Rethrows errors at `/teamName`: the form has another name for the field than the team's own body. */
function byTeamName(error: unknown): never {
  if (!(error instanceof ProblemException) || !error.errors) throw error;
  throw validationFailed(
    error.errors.map(({ code, detail }) => ({ pointer: '/teamName', code, detail: `Team ${detail}` })),
  );
}

function asConfigError(error: unknown): never {
  if (!(error instanceof ProblemException)) throw error;
  const faults = (error.errors ?? []).map(({ pointer, detail }) => {
    const name = pointer === '/password' ? 'ADMIN_PASSWORD' : 'ADMIN_EMAIL';
    return `${name}: ${detail}`;
  });
  throw new ConfigError(faults);
}
