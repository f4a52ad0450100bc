import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogModule } from '../events/event-log.module.js';
import { InvitationRetention } from './invitation-retention.service.js';
import { Invitation } from './invitation.entity.js';
import { InvitationsService } from './invitations.service.js';
import { Member } from './member.entity.js';
import { MembersService } from './members.service.js';
import { TeamLimits } from './team-limits.service.js';
import { UsersModule } from '../users/users.module.js';
import { Team } from './team.entity.js';
import { TeamsService } from './teams.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Team, Member, Invitation]), EventLogModule, UsersModule],
  providers: [InvitationRetention, InvitationsService, MembersService, TeamLimits, TeamsService],
  exports: [InvitationsService, MembersService, TeamLimits, TeamsService],
})
export class TeamsModule {}
