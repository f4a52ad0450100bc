import { Injectable } from '@nestjs/common';
import { type Delivery } from '../../channels/channel.js';
import { deliver } from '../../channels/deliver.js';
import { emailChannel } from '../../channels/email.channel.js';
import { type MessageFacts } from '../../channels/message.js';
import { composeMessage } from '../../channels/wording.js';
import { type TeamId } from '../../http/auth/principal.js';
import { MembersService } from '../teams/members.service.js';
import { ChannelMeansService } from './channel-means.service.js';

/** As many recipients as a channel of type `email` may have. */
const MAX_RECIPIENTS = 20;

/** Mails the owners of a team, who are the last to hear of an outage that reached nobody else. */
@Injectable()
export class OwnersMail {
  constructor(
    private readonly members: MembersService,
    private readonly means: ChannelMeansService,
  ) {}

  /** Makes one attempt to send a message to all owners. Fails permanently without a mail server and without owners. */
  async send(teamId: TeamId, facts: MessageFacts): Promise<Delivery> {
    const members = await this.members.list(teamId);
    const to = members.flatMap(({ role, email }) => (role === 'owner' ? [email] : [])).slice(0, MAX_RECIPIENTS);
    if (to.length > 0) return deliver(emailChannel, composeMessage(facts), { to }, this.means.means);
    const error = 'The team has no owner to email.';
    return { status: 'failed', permanent: true, retryAfterMs: null, statusCode: null, error };
  }
}
