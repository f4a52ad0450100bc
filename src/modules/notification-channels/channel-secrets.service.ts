import { Injectable } from '@nestjs/common';
import { channelOf } from '../../channels/index.js';
import { SecretBox } from '../../database/secret-box.js';
import { mapSecrets } from '../../domain/secret-members.js';

/** Seals and opens the secrets of channel settings. */
@Injectable()
export class ChannelSecretsService {
  constructor(private readonly box: SecretBox) {}

  /** Returns a copy with every secret sealed. */
  seal(type: string, settings: object): Record<string, unknown> {
    return mapSecrets(channelOf(type), settings, (secret) => this.box.seal(secret));
  }

  /** Returns a copy with every secret in plain text. @throws UnsealError if `SECRET_KEY` has changed */
  open(type: string, settings: object): Record<string, unknown> {
    return mapSecrets(channelOf(type), settings, (sealed) => this.box.open(sealed));
  }
}
