import { beforeAll, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type OperatorMail } from '../mail/operator-mail.service.js';
import { type InvitationsService } from '../teams/invitations.service.js';
import { InvitationMails } from './invitation-mails.service.js';
import { type SignedIn } from './signed-in.types.js';

beforeAll(() => void Logger.overrideLogger(false));

it('reports that an invitation was not mailed if earlier ones cannot be counted, so that its link is shown', async () => {
  const mail = { canSend: true } as OperatorMail;
  const invitations = {
    countSince: (): Promise<never> => Promise.reject(new Error('The database is away.')),
  } as unknown as InvitationsService;
  const invitation = { role: 'viewer', email: 'nia@example.com', expiresAt: new Date(), token: 'token' } as const;
  const mailed = await new InvitationMails(mail, invitations).send({} as SignedIn, invitation, 'https://example.com/');
  expect(mailed).toEqual({ status: 'failed', error: 'The database could not be read.' });
});
