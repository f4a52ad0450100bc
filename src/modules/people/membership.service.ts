import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../database/tx.js';
import { type Person, type Scope, scopeOfRole, SCOPES, type TeamId } from '../../http/auth/principal.js';
import { ProblemException } from '../../http/problems/problem.js';
import { validateBody } from '../../http/body/validation.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { PingKeysService } from '../heartbeats/ping-keys/ping-keys.service.js';
import { OperatorMail } from '../mail/operator-mail.service.js';
import { MailedInvitationDto, MemberRoleDto } from '../teams/dto/team.dto.js';
import { type CreatedInvitation, InvitationsService } from '../teams/invitations.service.js';
import { MembersService } from '../teams/members.service.js';
import { TeamsService } from '../teams/teams.service.js';

/** Changes the members of a team. The last owner of a team can be neither removed nor demoted (409). */
@Injectable()
export class MembershipService {
  constructor(
    private readonly transactions: Transactions,
    private readonly teams: TeamsService,
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly keys: ApiKeysService,
    private readonly pingKeys: PingKeysService,
    private readonly mail: OperatorMail,
  ) {}

  /**
   * Changes a member's role (`MemberRoleDto`). Revokes what they created that exceeds the new role: keys with more
   * access, ping keys if they are a viewer, and invitations if they are no longer an owner. Returns the number of
   * revoked keys. @throws 404, 409, 422
   */
  async changeRole(teamId: TeamId, userId: string, body: unknown): Promise<number> {
    const { role } = validateBody(MemberRoleDto, body);
    const kept = role === 'viewer' ? [] : SCOPES.slice(0, SCOPES.indexOf(scopeOfRole(role)) + 1);
    return this.transactions.run(async (tx) => {
      await this.teams.lock(tx, teamId);
      await this.members.setRole(tx, { teamId, userId, role });
      const revoked = await this.revokeKeys(tx, { teamId, userId }, kept);
      if (role !== 'owner') await this.invitations.revokeMadeBy(tx, { teamId, userId });
      return revoked;
    });
  }

  /**
   * Removes a person from a team, ends their sessions in it, and revokes all keys and invitations that they created.
   * Returns the number of revoked keys. @throws 404, 409
   */
  async remove(teamId: TeamId, userId: string): Promise<number> {
    return this.transactions.run(async (tx) => {
      await this.teams.lock(tx, teamId);
      await this.members.remove(tx, teamId, userId);
      const revoked = await this.revokeKeys(tx, { teamId, userId }, []);
      await this.invitations.revokeMadeBy(tx, { teamId, userId });
      return revoked;
    });
  }

  /**
   * Creates an invitation (`NewInvitationDto`), without mailing it. Only the return value contains its token. With a
   * mail server, `email` must be an address that it can be mailed to (422); otherwise it is only a note. Throws 403 unless the person
   * is an owner now, whatever their role was when the request began: losing the role revokes their invitations, and
   * none may be created after that.
   */
  async invite(person: Person, body: unknown): Promise<CreatedInvitation> {
    const { teamId, userId } = person;
    if (this.mail.canSend) validateBody(MailedInvitationDto, body);
    return this.transactions.run(async (tx) => {
      await this.teams.lock(tx, teamId);
      if ((await this.members.roleOf(tx, teamId, userId)) !== 'owner') {
        throw new ProblemException(403, 'forbidden', 'Only owners of the team can invite people.');
      }
      return this.invitations.create(tx, person, body);
    });
  }

  /** Renames the team (`TeamNameDto`). @throws 422 by pointer `/name` */
  async renameTeam(teamId: TeamId, body: unknown): Promise<void> {
    await this.transactions.run((tx) => this.teams.rename(tx, teamId, body));
  }

  private async revokeKeys(tx: Tx, person: Pick<Person, 'teamId' | 'userId'>, kept: readonly Scope[]): Promise<number> {
    const { teamId } = person;
    const authors = await this.keys.authorsBehind(tx, person);
    const revoked = await this.keys.revokeMadeBy(tx, teamId, authors, kept);
    if (kept.includes('write')) return revoked;
    return revoked + (await this.pingKeys.removeMadeBy(tx, teamId, authors));
  }
}
