import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppConfig, ConfigError } from '../../config/app-config.js';
import { Instance } from '../../database/instance.entity.js';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
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

/** Any fixed number: of those who set up at once, one becomes the owner. */
const FIRST_USER_LOCK = 718_201_003;

/** Makes the first person of an installation, the owner of its first team. */
@Injectable()
export class SetupService {
  private readonly guesses = new Guesses('set-up tokens');

  constructor(
    private readonly config: AppConfig,
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly teams: TeamsService,
    private readonly members: MembersService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * At each start, while there is nobody: makes the owner where the settings name one, else gives the token of the
   * set-up page, which takes the place of those of earlier starts. Null where there is nothing to set up any more.
   * @throws ConfigError where the settings name somebody who cannot be
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

  /** Whether somebody has set the installation up. */
  isDone(): Promise<boolean> {
    return this.users.any();
  }

  /**
   * Makes the owner (`NewUserDto` and `teamName`, the new name of the first team) and begins their session; gives its
   * token. 422 for a wrong set-up token, by `/token`, 409 once there is somebody, 429 after many wrong tokens.
   */
  async setUp(setupToken: string, body: unknown, browser: Browser): Promise<string> {
    if (await this.users.any()) throw isDone();
    if (!(await this.guesses.guess(browser.address, () => this.isToken(setupToken)))) {
      // Who has been overtaken comes with the right token, which is worth nothing by now.
      throw (await this.users.any()) ? isDone() : wrongToken();
    }
    const { teamName, ...person } = readObject(body);
    const owner = await this.users.prepare(person);
    return this.transactions.run(async (tx) => {
      const teamId = await this.insertOwner(tx, owner);
      if (teamId === null) throw isDone();
      await this.teams.rename(tx, teamId, { name: teamName }).catch(byTeamName);
      return this.sessions.start(tx, { userId: owner.id, teamId }, browser.userAgent);
    });
  }

  /** The team of the owner; null, and nothing written, where there is somebody already. */
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
  const detail = 'The token is wrong: take that of the latest start from the log. A restart makes a new one.';
  return validationFailed([{ pointer: '/token', code: 'invalid_value', detail }]);
}

function isDone(): ProblemException {
  return new ProblemException(409, 'conflict', 'The application is set up already, and the token is used up.');
}

/** The form calls it by another name than the team does. */
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
