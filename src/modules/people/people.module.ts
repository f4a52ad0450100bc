import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { EventLogModule } from '../events/event-log.module.js';
import { MailModule } from '../mail/mail.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountService } from './account.service.js';
import { FormTokens } from './form-tokens.service.js';
import { InvitationMails } from './invitation-mails.service.js';
import { JoiningService } from './joining.service.js';
import { PasswordChanges } from './password-changes.service.js';
import { PasswordReset } from './password-reset.entity.js';
import { PasswordResets } from './password-resets.service.js';
import { ResetCookie } from './reset-cookie.service.js';
import { ResetLinks } from './reset-links.service.js';
import { SessionCookie } from './session-cookie.service.js';
import { SessionGuard } from './session.guard.js';
import { SetupService } from './setup.service.js';
import { SignInService } from './sign-in.service.js';

/** Operations of people across accounts, teams, sessions and keys: set up, sign in, reset a password, join, leave. */
@Module({
  imports: [
    TypeOrmModule.forFeature([PasswordReset]),
    ApiKeysModule,
    EventLogModule,
    MailModule,
    SessionsModule,
    TeamsModule,
    UsersModule,
  ],
  providers: [
    AccountService,
    FormTokens,
    InvitationMails,
    JoiningService,
    PasswordChanges,
    PasswordResets,
    ResetCookie,
    ResetLinks,
    SessionCookie,
    SessionGuard,
    SetupService,
    SignInService,
  ],
  exports: [
    AccountService,
    InvitationMails,
    JoiningService,
    PasswordResets,
    ResetCookie,
    ResetLinks,
    SessionCookie,
    SetupService,
    SignInService,
  ],
})
export class PeopleModule {}
