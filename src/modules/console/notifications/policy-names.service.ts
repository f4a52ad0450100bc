import { Injectable } from '@nestjs/common';
import { type TeamId } from '../../../http/auth/principal.js';
import { NotificationChannelsService } from '../../notification-channels/notification-channels.service.js';
import { type NotificationChannelDto } from '../../notification-channels/dto/notification-channel.dto.js';
import { type ShownMatchDto } from '../../notification-policies/dto/notification-policy.dto.js';
import { MonitorSearch } from '../picker/monitor-search.service.js';
import { type PolicyNames } from './policy-words.js';

/** The number of channels of a page of the list. */
const PAGE_SIZE = 100;

/** Finds the names that the sentences of policies and silences contain. */
@Injectable()
export class PolicyNamesService {
  constructor(
    private readonly channelsOfTeam: NotificationChannelsService,
    private readonly search: MonitorSearch,
  ) {}

  /** Returns all channels of the team, by name. A form that lacked one would remove it from the policy. */
  async channels(teamId: TeamId): Promise<NotificationChannelDto[]> {
    const channels: NotificationChannelDto[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await this.channelsOfTeam.list(teamId, { limit: PAGE_SIZE, ...(cursor && { cursor }) });
      channels.push(...page.data);
      cursor = page.nextCursor;
    }
    return channels.sort((a, b) => a.name.localeCompare(b.name, 'en'));
  }

  /** Returns the names of these channels, and of the monitors that the matches list. */
  async of(
    teamId: TeamId,
    channels: readonly NotificationChannelDto[],
    matches: readonly ShownMatchDto[],
  ): Promise<PolicyNames> {
    return {
      channels: new Map(channels.map(({ id, name, enabled }) => [id, enabled ? name : `${name} (disabled)`])),
      monitors: await this.monitors(teamId, matches),
    };
  }

  /** Returns the names of the monitors that the matches list, by id. */
  async monitors(teamId: TeamId, matches: readonly ShownMatchDto[]): Promise<PolicyNames['monitors']> {
    const named = await this.search.named(
      teamId,
      matches.flatMap(({ monitorIds }) => monitorIds),
    );
    return new Map(named.map(({ id, name }) => [id, name]));
  }
}
