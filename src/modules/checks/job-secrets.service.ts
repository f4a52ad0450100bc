import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
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
  /** With the keys of locations. */
  private readonly travelling = new Map<string, DefinitionSecretsService>();
  /** Definitions in the form in which they travel to each location, because each is sent many times. */
  private readonly known = new WeakMap<CheckPlan, Map<string, CheckPlan>>();

  constructor(private readonly config: AppConfig) {
    this.stored = new DefinitionSecretsService(new SecretBox(config.get('SECRET_KEY') ?? ''));
    const key = config.get('LOCATION_KEY');
    if (key !== null) {
      this.travelling.set(config.get('LOCATION'), new DefinitionSecretsService(new SecretBox(key)));
    }
  }

  /** Returns a plan as it is sent to a location. One whose secrets cannot be opened fails where it runs. */
  toSend(plan: CheckPlan, location: string): CheckPlan {
    // Most have none, and need no second copy in memory.
    if (!this.config.isShared || !SecretBox.areIn(plan.definition)) return plan;
    const known = this.known.get(plan) ?? new Map<string, CheckPlan>();
    const found = known.get(location);
    if (found) return found;
    let sent = plan;
    try {
      const opened = this.stored.open(plan.type, JSON.parse(plan.definition) as object);
      sent = { ...plan, definition: JSON.stringify(this.seal(plan.type, opened, location)) };
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
    }
    this.known.set(plan, known.set(location, sent));
    return sent;
  }

  /** Returns type-specific fields as they are sent to a location. */
  seal(type: string, fields: object, location: string): Record<string, unknown> {
    return this.of(location).seal(type, fields);
  }

  /**
   * Returns the type-specific fields of a plan that this location received in plain text.
   * @throws UnsealError if the key is another
   */
  open({ type, definition }: Pick<CheckPlan, 'type' | 'definition'>): Record<string, unknown> {
    const fields = JSON.parse(definition) as object;
    return this.of(this.config.get('LOCATION')).open(type, fields);
  }

  private of(location: string): DefinitionSecretsService {
    if (!this.config.isShared) return this.stored;
    let found = this.travelling.get(location);
    if (!found) {
      found = new DefinitionSecretsService(new SecretBox(locationKey(this.config.get('SECRET_KEY') ?? '', location)));
      this.travelling.set(location, found);
    }
    return found;
  }
}
