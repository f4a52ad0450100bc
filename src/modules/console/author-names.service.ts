import { Injectable } from '@nestjs/common';
import { type TeamId } from '../../http/auth/principal.js';
import { NotificationChannelsService } from '../notification-channels/notification-channels.service.js';
import { UsersService } from '../users/users.service.js';
import { channelsAmong, type People, peopleAmong } from './author-words.js';

/** Finds the names of authors, for `authorWords`. */
@Injectable()
export class AuthorNames {
  constructor(
    private readonly users: UsersService,
    private readonly channels: NotificationChannelsService,
  ) {}

  /** Returns the names of those that still exist. */
  async of(teamId: TeamId, authors: readonly (string | null)[]): Promise<People> {
    const [people, channels] = await Promise.all([
      this.users.byId(peopleAmong(authors)),
      this.channels.named(teamId, channelsAmong(authors)),
    ]);
    return new Map<string, { name: string }>([...people, ...channels]);
  }
}
