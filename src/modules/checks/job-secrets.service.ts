import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { DEFAULT_LOCATION } from '../../domain/location.js';
import { SecretBox, UnsealError } from '../../database/secret-box.js';
import { DefinitionSecretsService } from '../monitors/definition/definition-secrets.service.js';
import { type CheckPlan } from '../monitors/schedule/check-plan.types.js';

/** Returns the key that protects the secrets of checks on their way to the workers of a location. */
export function locationKey(secretKey: string, location: string): string {
  return new SecretBox(secretKey).keyFor(`location ${location}`).toString('base64url');
}

/**
 * The secrets in jobs. In the database they are sealed under `SECRET_KEY`. Jobs that leave the process are sealed under
 * the key of their location, so that a worker knows nothing but the secrets of the checks that it runs.
 */
@Injectable()
export class JobSecretsService {
  private readonly stored: DefinitionSecretsService;
  private readonly travelling: DefinitionSecretsService;
  /** Definitions in the form in which they travel, because each is sent many times. */
  private readonly known = new WeakMap<CheckPlan, CheckPlan>();

  constructor(private readonly config: AppConfig) {
    const secretKey = config.get('SECRET_KEY') ?? '';
    this.stored = this.travelling = new DefinitionSecretsService(new SecretBox(secretKey));
    if (!config.isShared) return;
    const key = config.get('LOCATION_KEY') ?? locationKey(secretKey, DEFAULT_LOCATION);
    this.travelling = new DefinitionSecretsService(new SecretBox(key));
  }

  /** Returns a plan as it is sent. One whose secrets cannot be opened fails where it runs. */
  toSend(plan: CheckPlan): CheckPlan {
    // Most have none, and need no second copy in memory.
    if (!this.config.isShared || !SecretBox.areIn(plan.definition)) return plan;
    const known = this.known.get(plan);
    if (known) return known;
    let sent = plan;
    try {
      const opened = this.stored.open(plan.type, JSON.parse(plan.definition) as object);
      sent = { ...plan, definition: JSON.stringify(this.seal(plan.type, opened)) };
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
    }
    this.known.set(plan, sent);
    return sent;
  }

  /** Returns type-specific fields as they are sent. */
  seal(type: string, fields: object): Record<string, unknown> {
    return this.travelling.seal(type, fields);
  }

  /** Returns the type-specific fields of a received plan in plain text. @throws UnsealError if the key is another */
  open({ type, definition }: Pick<CheckPlan, 'type' | 'definition'>): Record<string, unknown> {
    return this.travelling.open(type, JSON.parse(definition) as object);
  }
}
