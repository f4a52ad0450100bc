import { Module } from '@nestjs/common';
import { OperatorMail } from './operator-mail.service.js';
import { SubscriberMail } from './subscriber-mail.service.js';

/** The operator's mail server, for channels of type `email`, letters to people and subscribers of status pages. */
@Module({
  providers: [OperatorMail, SubscriberMail],
  exports: [OperatorMail, SubscriberMail],
})
export class MailModule {}
