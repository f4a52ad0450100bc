import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, MoreThan, Not, Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { isForeignKeyViolation } from '../../database/foreign-key-violation.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { newToken, tokenHash } from '../../http/auth/link-token.js';
import { type Person, type TeamId } from '../../http/auth/principal.js';
import { ProblemException } from '../../http/problems/problem.js';
import { IDLE_MS, isAlive, isToBeNoted, SESSION_MS } from './session-life.js';
import { Session } from './session.entity.js';

const MAX_USER_AGENT = 300;
/** Per person. Otherwise a script that signs in, but never out, would fill the list of sessions and the table. */
const MAX_SESSIONS = 50;

const LATEST_FIRST = { lastSeenAt: 'DESC', id: 'DESC' } as const;

/** A session, as shown to its person in the list of sessions. */
export type SessionSummary = Pick<Session, 'id' | 'userAgent' | 'createdAt' | 'lastSeenAt'>;

/** The sessions of signed-in people. The token of a session exists only in the cookie of one browser. */
@Injectable()
export class SessionsService {
  /** The maximum duration of a session. */
  static readonly maxAgeSeconds = SESSION_MS / 1_000;

  constructor(@InjectRepository(Session) private readonly sessions: Repository<Session>) {}

  /**
   * Starts a session with a new token, whatever the browser had before, and returns the token. Of more than 50 sessions
   * of a person, the least recently used ones end. @throws 403 if they are no longer in the team
   */
  async start(
    tx: Tx,
    { userId, teamId }: Pick<Person, 'userId' | 'teamId'>,
    userAgent: string | undefined,
    now = Date.now(),
  ): Promise<string> {
    const token = newToken();
    const at = new Date(now);
    const expired = [{ expiresAt: LessThan(at) }, { lastSeenAt: LessThan(new Date(now - IDLE_MS)) }];
    for (const those of expired) await managerOf(tx).delete(Session, those);
    const session = {
      id: uuidv7(),
      tokenHash: tokenHash(token),
      userId,
      teamId,
      createdAt: at,
      lastSeenAt: at,
      expiresAt: new Date(now + SESSION_MS),
      userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    };
    await managerOf(tx).insert(Session, session).catch(asNoMember);
    const latest = { where: { userId }, order: LATEST_FIRST, skip: MAX_SESSIONS } as const;
    await managerOf(tx).remove(await managerOf(tx).find(Session, latest));
    return token;
  }

  /** Returns the session with this token and records its use; null if it has ended or never existed. */
  async find(token: string, now = Date.now()): Promise<Session | null> {
    const session = await this.sessions.findOneBy({ tokenHash: tokenHash(token) });
    if (!session || !isAlive(session, now)) return null;
    if (isToBeNoted(session, now)) {
      await this.sessions.update({ id: session.id }, { lastSeenAt: new Date(now) });
    }
    return session;
  }

  /** Returns those of these sessions that are alive, each with its current team. Does not count as a use. */
  async going(ids: readonly string[], now = Date.now()): Promise<Map<string, TeamId>> {
    const rows = await this.sessions.find({ where: { id: In([...ids]) } });
    return new Map(rows.filter((one) => isAlive(one, now)).map(({ id, teamId }) => [id, teamId as TeamId]));
  }

  /** Returns the sessions of a person, most recently used first. */
  async list(userId: string, now = Date.now()): Promise<SessionSummary[]> {
    return this.sessions.find({
      where: { userId, expiresAt: MoreThan(new Date(now)), lastSeenAt: MoreThan(new Date(now - IDLE_MS)) },
      select: { id: true, userAgent: true, createdAt: true, lastSeenAt: true },
      order: LATEST_FIRST,
    });
  }

  /** Ends one session of a person. */
  async end(userId: string, id: string): Promise<void> {
    if (isUuid(id)) await this.sessions.delete({ userId, id });
  }

  /** Ends the session with this token, if there is one. */
  async endToken(tx: Tx, token: string | null): Promise<void> {
    if (token !== null) await managerOf(tx).delete(Session, { tokenHash: tokenHash(token) });
  }

  /** Ends all sessions of a person, except the one with the id `but`, if given. */
  async endAll(tx: Tx, userId: string, but?: string): Promise<void> {
    await managerOf(tx).delete(Session, { userId, ...(but !== undefined && { id: Not(but) }) });
  }

  /** Switches a session to another team of the same person. @throws 403 if they are no longer in it */
  async look(tx: Tx, id: string, teamId: TeamId): Promise<void> {
    await managerOf(tx).update(Session, { id }, { teamId }).catch(asNoMember);
  }
}

/** Throws 403 for a foreign key violation: the membership ended after it was looked up. */
function asNoMember(error: unknown): never {
  if (!isForeignKeyViolation(error)) throw error;
  throw new ProblemException(403, 'forbidden', 'You are no longer a member of this team.', { cause: error });
}
