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
/** Of one person. Who signs in by a script, and never out, would else fill the list of places, and the room of others. */
const MAX_SESSIONS = 50;

const LATEST_FIRST = { lastSeenAt: 'DESC', id: 'DESC' } as const;

/** A browser in which somebody is signed in, as they see it in the list of those. */
export type SessionSummary = Pick<Session, 'id' | 'userAgent' | 'createdAt' | 'lastSeenAt'>;

/** Who is signed in where. A token exists in the cookie of one browser alone. */
@Injectable()
export class SessionsService {
  /** How long a session lasts at most. */
  static readonly maxAgeSeconds = SESSION_MS / 1_000;

  constructor(@InjectRepository(Session) private readonly sessions: Repository<Session>) {}

  /**
   * Begins a session under a token of its own, whatever the browser had before; gives the token. Of more than 50, those
   * that were used longest ago end. @throws 403 for who is not in the team any more
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
      ...{ userId, teamId },
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

  /** The session that a cookie names; null where it is over, or never was. Notes that it was used. */
  async find(token: string, now = Date.now()): Promise<Session | null> {
    const session = await this.sessions.findOneBy({ tokenHash: tokenHash(token) });
    if (!session || !isAlive(session, now)) return null;
    if (isToBeNoted(session, now)) {
      await this.sessions.update({ id: session.id }, { lastSeenAt: new Date(now) });
    }
    return session;
  }

  /** Those of these sessions that go on, and the team that each looks at. It does not count as their use. */
  async going(ids: readonly string[], now = Date.now()): Promise<Map<string, TeamId>> {
    const rows = await this.sessions.find({ where: { id: In([...ids]) } });
    return new Map(rows.filter((one) => isAlive(one, now)).map(({ id, teamId }) => [id, teamId as TeamId]));
  }

  /** Where somebody is signed in, the latest first. */
  async list(userId: string, now = Date.now()): Promise<SessionSummary[]> {
    return this.sessions.find({
      where: { userId, expiresAt: MoreThan(new Date(now)), lastSeenAt: MoreThan(new Date(now - IDLE_MS)) },
      select: { id: true, userAgent: true, createdAt: true, lastSeenAt: true },
      order: LATEST_FIRST,
    });
  }

  /** Ends one session of somebody. */
  async end(userId: string, id: string): Promise<void> {
    if (isUuid(id)) await this.sessions.delete({ userId, id });
  }

  /** Ends the session of a cookie, where there is one. */
  async endToken(tx: Tx, token: string | null): Promise<void> {
    if (token !== null) await managerOf(tx).delete(Session, { tokenHash: tokenHash(token) });
  }

  /** Ends all sessions of somebody; but one, where that is named. */
  async endAll(tx: Tx, userId: string, but?: string): Promise<void> {
    await managerOf(tx).delete(Session, { userId, ...(but !== undefined && { id: Not(but) }) });
  }

  /** Lets a session look at another team of the same person. @throws 403 for who is not in it any more */
  async look(tx: Tx, id: string, teamId: TeamId): Promise<void> {
    await managerOf(tx).update(Session, { id }, { teamId }).catch(asNoMember);
  }
}

/** The membership that a session refers to ended after it was looked up. */
function asNoMember(error: unknown): never {
  if (!isForeignKeyViolation(error)) throw error;
  throw new ProblemException(403, 'forbidden', 'You are not in this team any more.', { cause: error });
}
