import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, MoreThan, Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { DAY_MS } from '../../domain/durations.js';
import { type Role } from '../../domain/role.js';
import { newToken, tokenHash } from '../../http/auth/link-token.js';
import { authorOf, type Person, type TeamId } from '../../http/auth/principal.js';
import { notFound, ProblemException } from '../../http/problems/problem.js';
import { validateBody } from '../../http/body/validation.js';
import { EventLog } from '../events/event-log.service.js';
import { type NewEvent } from '../events/new-event.types.js';
import { NewInvitationDto } from './dto/team.dto.js';
import { type InvitationState, invitationState } from './invitation-life.js';
import { Invitation } from './invitation.entity.js';

const LIFE_MS = 7 * DAY_MS;

/** A new invitation, with the token that is not stored. */
export interface CreatedInvitation extends Pick<Invitation, 'role' | 'email' | 'expiresAt'> {
  token: string;
}

/** An invitation, as shown to the person who opens its link. */
export interface Invited {
  id: string;
  teamId: TeamId;
  teamName: string;
  role: Role;
  state: InvitationState;
}

export type InvitationSummary = Pick<Invitation, 'id' | 'role' | 'email' | 'createdBy' | 'createdAt' | 'expiresAt'>;

interface Recent {
  toEmail: number;
  byPerson: number;
}

const COUNTS = `
  SELECT (count(*) FILTER (WHERE lower(email) = lower($2)))::int AS "toEmail",
    (count(*) FILTER (WHERE created_by = $3))::int AS "byPerson"
  FROM invitations WHERE created_at >= $1`;

/** Links with which people join a team. Each is valid for one person and one week. */
@Injectable()
export class InvitationsService {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly transactions: Transactions,
    private readonly events: EventLog,
  ) {}

  /**
   * Creates an invitation (`NewInvitationDto`) without checking permissions. Only the return value contains its token.
   */
  async create(tx: Tx, person: Person, body: unknown, now = Date.now()): Promise<CreatedInvitation> {
    const { role, email: text } = validateBody(NewInvitationDto, body);
    const email = text?.trim() || null;
    const token = newToken();
    const expiresAt = new Date(now + LIFE_MS);
    const id = uuidv7();
    await managerOf(tx).insert(Invitation, {
      id,
      teamId: person.teamId,
      role,
      email,
      tokenHash: tokenHash(token),
      createdBy: authorOf(person),
      createdAt: new Date(now),
      expiresAt,
    });
    await this.events.record(tx, [invitationEvent('invitation.created', person.teamId, id, { role })], now);
    return { token, role, email, expiresAt };
  }

  /**
   * Returns how many invitations since `sinceMs` name this email, in all teams, and how many this person has created,
   * whatever became of them.
   */
  async countSince(sinceMs: number, email: string, person: Pick<Person, 'userId'>): Promise<Recent> {
    const [counts]: Recent[] = await this.invitations.query(COUNTS, [new Date(sinceMs), email, authorOf(person)]);
    return counts!;
  }

  /** Returns the invitations that can still be accepted, newest first. */
  async open(teamId: TeamId, now = Date.now()): Promise<InvitationSummary[]> {
    return this.invitations.find({
      where: { teamId, acceptedAt: IsNull(), revokedAt: IsNull(), expiresAt: MoreThan(new Date(now)) },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
  }

  /** Revokes an invitation. @throws 404 if it does not exist, or was already accepted or revoked */
  async revoke(teamId: TeamId, id: string, now = Date.now()): Promise<void> {
    if (!isUuid(id)) throw notFound();
    await this.transactions.run(async (tx) => {
      const open = { teamId, id, acceptedAt: IsNull(), revokedAt: IsNull() };
      const { affected } = await managerOf(tx).update(Invitation, open, { revokedAt: new Date(now) });
      if (affected !== 1) throw notFound();
      await this.events.record(tx, [invitationEvent('invitation.deleted', teamId, id)], now);
    });
  }

  /** Revokes the open invitations of a person who may no longer invite, so that they cannot rejoin with one. */
  async revokeMadeBy(tx: Tx, person: Pick<Person, 'teamId' | 'userId'>, now = Date.now()): Promise<void> {
    const { teamId } = person;
    const [revoked]: [{ id: string }[], number] = await managerOf(tx).query(
      `UPDATE invitations SET revoked_at = $3
       WHERE team_id = $1 AND created_by = $2 AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > $3
       RETURNING id`,
      [teamId, authorOf(person), new Date(now)],
    );
    const events = revoked.map(({ id }) => invitationEvent('invitation.deleted', teamId, id));
    await this.events.record(tx, events, now);
  }

  /** Returns the invitation of the link with this token; null if there never was one. */
  async look(token: string, now = Date.now()): Promise<Invited | null> {
    const found = await this.invitations.findOne({
      where: { tokenHash: tokenHash(token) },
      relations: { team: true },
    });
    if (!found) return null;
    const { id, teamId, team, role } = found;
    const state = invitationState(found, now);
    return { id, teamId: teamId as TeamId, teamName: team?.name ?? '', role, state };
  }

  /**
   * Marks an invitation as accepted. Of several concurrent attempts, one succeeds.
   * @throws 409 if it is no longer open
   */
  async accept(tx: Tx, id: string, now = Date.now()): Promise<void> {
    const open = { id, acceptedAt: IsNull(), revokedAt: IsNull(), expiresAt: MoreThan(new Date(now)) };
    const { affected } = await managerOf(tx).update(Invitation, open, { acceptedAt: new Date(now) });
    if (affected === 1) return;
    throw new ProblemException(409, 'conflict', 'The invitation has already been used, was revoked, or has expired.');
  }
}

function invitationEvent(
  type: 'invitation.created' | 'invitation.deleted',
  teamId: string,
  id: string,
  data: Record<string, unknown> = {},
): NewEvent {
  return { type, teamId, resource: { type: 'invitation', id }, data };
}
