import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { managerOf, type Tx } from '../../database/tx.js';
import { type Role } from '../../domain/role.js';
import { personActor } from '../../http/auth/actor.js';
import { type Person, type TeamId } from '../../http/auth/principal.js';
import { notFound, ProblemException } from '../../http/problems/problem.js';
import { EventLog } from '../events/event-log.service.js';
import { memberEvent } from './member-events.js';
import { Member } from './member.entity.js';

/** The membership of a person in a team. */
export interface Membership extends Person {
  teamName: string;
}

export interface MemberSummary {
  userId: string;
  name: string;
  email: string;
  role: Role;
  createdAt: Date;
}

/** The members of teams and their roles. Writes require the team to be locked (`TeamsService.lock`). */
@Injectable()
export class MembersService {
  constructor(
    @InjectRepository(Member) private readonly members: Repository<Member>,
    private readonly events: EventLog,
  ) {}

  /** Returns the memberships of a person, in the order of joining. */
  async of(userId: string): Promise<Membership[]> {
    const found = await this.members.find({
      where: { userId },
      relations: { team: true },
      order: { createdAt: 'ASC', teamId: 'ASC' },
    });
    return found.map(({ teamId, role, team }) => ({
      userId,
      teamId: teamId as TeamId,
      role,
      teamName: team?.name ?? '',
    }));
  }

  /** Returns the members of a team, in the order of joining. */
  async list(teamId: TeamId): Promise<MemberSummary[]> {
    const found = await this.members.find({
      where: { teamId },
      relations: { user: true },
      order: { createdAt: 'ASC', userId: 'ASC' },
    });
    return found.map(({ userId, role, createdAt, user }) => ({
      userId,
      role,
      createdAt,
      name: user?.name ?? '',
      email: user?.email ?? '',
    }));
  }

  /** Returns the role of a person in a team, as the transaction sees it; null if they are not a member. */
  async roleOf(tx: Tx, teamId: TeamId, userId: string): Promise<Role | null> {
    return (await managerOf(tx).findOneBy(Member, { teamId, userId }))?.role ?? null;
  }

  /** Adds a member. @throws 409 if they are already in the team */
  async add(tx: Tx, { teamId, userId, role }: Person): Promise<void> {
    if ((await this.roleOf(tx, teamId, userId)) !== null) {
      throw new ProblemException(409, 'conflict', 'You are already a member of this team.');
    }
    await managerOf(tx).insert(Member, { teamId, userId, role });
    const member = await this.member(tx, teamId, userId);
    // A person who accepts an invitation acts, even if they are not signed in yet.
    await this.events.record(tx, [
      memberEvent('member.joined', member, { actor: personActor(userId, member.user?.name ?? null), data: { role } }),
    ]);
  }

  /** Changes a member's role. @throws 404 if they are not in the team, 409 if it would be left without an owner */
  async setRole(tx: Tx, { teamId, userId, role }: Person): Promise<void> {
    const member = await this.member(tx, teamId, userId);
    if (role !== 'owner') await this.assertOwnerLeft(tx, member);
    if (role === member.role) return;
    await managerOf(tx).update(Member, { teamId, userId }, { role });
    const changes = [{ pointer: '/role', before: member.role, after: role }];
    await this.events.record(tx, [memberEvent('member.updated', member, { changes })]);
  }

  /** Removes a member, which also ends their sessions in this team. @throws as `setRole` */
  async remove(tx: Tx, teamId: TeamId, userId: string): Promise<void> {
    const member = await this.member(tx, teamId, userId);
    await this.assertOwnerLeft(tx, member);
    await managerOf(tx).delete(Member, { teamId, userId });
    await this.events.record(tx, [memberEvent('member.removed', member)]);
  }

  private async member(tx: Tx, teamId: TeamId, userId: string): Promise<Member> {
    const where = { teamId, userId };
    const member = isUuid(userId) ? await managerOf(tx).findOne(Member, { where, relations: { user: true } }) : null;
    if (!member) throw notFound();
    return member;
  }

  private async assertOwnerLeft(tx: Tx, { teamId, role }: Member): Promise<void> {
    if (role !== 'owner' || (await managerOf(tx).countBy(Member, { teamId, role: 'owner' })) > 1) return;
    const detail = 'The team would be left without an owner: make someone else an owner first.';
    throw new ProblemException(409, 'conflict', detail);
  }
}
