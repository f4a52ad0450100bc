import { alertmanagerChannel } from './alertmanager.channel.js';
import { type ChannelDefinition } from './channel.js';
import { discordChannel } from './discord.channel.js';
import { emailChannel } from './email.channel.js';
import { googleChatChannel } from './google-chat.channel.js';
import { gotifyChannel } from './gotify.channel.js';
import { matrixChannel } from './matrix.channel.js';
import { mattermostChannel } from './mattermost.channel.js';
import { ntfyChannel } from './ntfy.channel.js';
import { opsgenieChannel } from './opsgenie.channel.js';
import { pagerdutyChannel } from './pagerduty.channel.js';
import { pushoverChannel } from './pushover.channel.js';
import { rocketChatChannel } from './rocket-chat.channel.js';
import { slackChannel } from './slack.channel.js';
import { teamsChannel } from './teams.channel.js';
import { telegramChannel } from './telegram.channel.js';
import { twilioSmsChannel } from './twilio-sms.channel.js';
import { webhookChannel } from './webhook.channel.js';
import { zulipChannel } from './zulip.channel.js';

/** All channel types, in the order in which they are offered. A new type needs a file of its own and a line here. */
const REGISTERED = [
  emailChannel,
  webhookChannel,
  slackChannel,
  teamsChannel,
  discordChannel,
  googleChatChannel,
  mattermostChannel,
  rocketChatChannel,
  zulipChannel,
  telegramChannel,
  matrixChannel,
  ntfyChannel,
  gotifyChannel,
  pushoverChannel,
  twilioSmsChannel,
  pagerdutyChannel,
  opsgenieChannel,
  alertmanagerChannel,
] as const;

export const CHANNELS: readonly ChannelDefinition[] = REGISTERED;

const byType = new Map(CHANNELS.map((definition) => [definition.type, definition]));

/** Returns the definition of a channel type, or `undefined` if the type does not exist. */
export function channelOf(type: string): ChannelDefinition | undefined {
  return byType.get(type);
}
