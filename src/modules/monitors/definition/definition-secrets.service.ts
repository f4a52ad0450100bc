import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../database/secret-box.js';
import { probeOf } from '../../../probes/index.js';
import { mapSecrets } from '../../../domain/secret-members.js';

/** Seals and opens the secrets of type-specific definitions. */
@Injectable()
export class DefinitionSecretsService {
  constructor(private readonly box: SecretBox) {}

  /** Returns a copy with every secret sealed. */
  seal(type: string, fields: object): Record<string, unknown> {
    return mapSecrets(probeOf(type), fields, (secret) => this.box.seal(secret));
  }

  /** Returns a copy with every secret in plain text. @throws UnsealError if `SECRET_KEY` has changed */
  open(type: string, definition: object): Record<string, unknown> {
    return mapSecrets(probeOf(type), definition, (sealed) => this.box.open(sealed));
  }
}
