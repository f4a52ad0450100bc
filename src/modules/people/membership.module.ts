import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { HeartbeatsModule } from '../heartbeats/heartbeats.module.js';
import { MailModule } from '../mail/mail.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { MembershipService } from './membership.service.js';

/** Changes the members of a team. Apart from `PeopleModule`, because commands use that one without monitors. */
@Module({
  imports: [ApiKeysModule, HeartbeatsModule, MailModule, TeamsModule],
  providers: [MembershipService],
  exports: [MembershipService],
})
export class MembershipModule {}
