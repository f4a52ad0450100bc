import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/tx.js';
import { type Person, scopeOfRole, SCOPES, type TeamId } from '../../http/auth/principal.js';
import { ProblemException } from '../../http/problems/problem.js';
import { validateBody } from '../../http/body/validation.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { MemberRoleDto } from '../teams/dto/team.dto.js';
import { InvitationsService } from '../teams/invitations.service.js';
import { MembersService } from '../teams/members.service.js';
import { TeamsService } from '../teams/teams.service.js';

/** What becomes of people in a team. The last owner of a team can be neither removed nor demoted: 409. */
@Injectable()
export class MembershipService {
  constructor(
    private readonly transactions: Transactions,
    private readonly teams: TeamsService,
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly keys: ApiKeysService,
  ) {}

  /**
   * Gives a member another role (`MemberRoleDto`). What they made that goes beyond it is revoked: keys that may do more,
   * and invitations where they are no owner any more. @throws 404, 409, 422
   */
  async changeRole(teamId: TeamId, userId: string, body: unknown): Promise<void> {
    const { role } = validateBody(MemberRoleDto, body);
    const kept = role === 'viewer' ? [] : SCOPES.slice(0, SCOPES.indexOf(scopeOfRole(role)) + 1);
    await this.transactions.run(async (tx) => {
      await this.teams.lock(tx, teamId);
      await this.members.setRole(tx, { teamId, userId, role });
      await this.keys.revokeMadeBy(tx, { teamId, userId }, kept);
      if (role !== 'owner') await this.invitations.revokeMadeBy(tx, { teamId, userId });
    });
  }

  /**
   * Takes somebody out of a team, ends what they are signed in to of it, and revokes all keys and invitations that they
   * made. @throws 404, 409
   */
  async remove(teamId: TeamId, userId: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.teams.lock(tx, teamId);
      await this.members.remove(tx, teamId, userId);
      await this.keys.revokeMadeBy(tx, { teamId, userId }, []);
      await this.invitations.revokeMadeBy(tx, { teamId, userId });
    });
  }

  /**
   * Makes an invitation (`NewInvitationDto`); its token exists in the answer alone. 403 for who is no owner at this moment,
   * whatever they were when their request began: theirs are revoked with the role, and none may come after that.
   */
  invite(person: Person, body: unknown): Promise<{ token: string; expiresAt: Date }> {
    const { teamId, userId } = person;
    return this.transactions.run(async (tx) => {
      await this.teams.lock(tx, teamId);
      if ((await this.members.roleOf(tx, teamId, userId)) !== 'owner') {
        throw new ProblemException(403, 'forbidden', 'People are invited by owners of the team.');
      }
      return this.invitations.create(tx, person, body);
    });
  }

  /** Gives the team another name (`TeamNameDto`). @throws 422 by pointer `/name` */
  async renameTeam(teamId: TeamId, body: unknown): Promise<void> {
    await this.transactions.run((tx) => this.teams.rename(tx, teamId, body));
  }
}
