import { Module } from '@nestjs/common';
import { OperatorMail } from './operator-mail.service.js';

/** The operator's mail server, for channels of type `email` and for letters to people. */
@Module({
  providers: [OperatorMail],
  exports: [OperatorMail],
})
export class MailModule {}
