import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { type Tx } from '../../../database/tx.js';
import { type FieldErrorCode } from '../../../domain/field-error-codes.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { asJson, type JsonObject } from '../../../http/body/json.js';
import { readObject } from '../../../http/body/validation.js';
import { type FieldError, type ProblemException, validationFailed } from '../../../http/problems/problem.js';
import { createAddressPolicy } from '../../../probes/net/address-policy.js';
import { KnownLocationsService } from '../../locations/known-locations.service.js';
import { toDefinition } from '../monitor.mapper.js';
import { MonitorsService } from '../monitors.service.js';
import { DefinitionSecretsService } from './definition-secrets.service.js';
import { patchDefinition, patchFaults } from './monitor-merge.js';
import { type MonitorDefinition, readDefinition, type WriteLimits } from './monitor-write.js';
import { type Monitor } from './monitor.entity.js';

/** Validates definitions without storing them. Valid definitions contain secrets in plain text. */
@Injectable()
export class MonitorRulesService {
  private readonly limits: Omit<WriteLimits, 'locations'>;

  constructor(
    private readonly monitors: MonitorsService,
    private readonly secrets: DefinitionSecretsService,
    private readonly locations: KnownLocationsService,
    config: AppConfig,
  ) {
    const policy = createAddressPolicy(config.get('ALLOW_PRIVATE_TARGETS'));
    this.limits = {
      minIntervalSeconds: config.get('MIN_INTERVAL_SECONDS'),
      refusesHost: (host) => policy.refusesHost(host),
    };
  }

  /** Validates a definition like a create. @throws 422 */
  judge(body: unknown): MonitorDefinition {
    return this.accept(readObject(body), null, Date.now());
  }

  /** Returns the valid definition that a patch would result in. @throws 404, 422 */
  async judgeUpdate(teamId: TeamId, address: string, body: unknown): Promise<MonitorDefinition> {
    const monitor = await this.monitors.find(teamId, address);
    const nowMs = Date.now();
    return this.accept(patchDefinition(mergeBase(monitor, nowMs), readObject(body)), monitor, nowMs);
  }

  /** Returns the errors that a patch has for every monitor, whatever its type. */
  patchFaults(patch: JsonObject): FieldError[] {
    return patchFaults(patch);
  }

  /** Validates a definition. `stored` is the monitor that it replaces. @throws 422 */
  accept(raw: JsonObject, stored: Monitor | null, nowMs: number): MonitorDefinition {
    if (stored && typeof raw.type === 'string' && raw.type !== stored.type) {
      throw fault('/type', 'immutable', 'The type cannot be changed after creation.');
    }
    const former = stored && { type: stored.type, fields: this.secrets.open(stored.type, stored.definition) };
    const limits = { ...this.limits, locations: this.locations.keys };
    const { definition, errors } = readDefinition(raw, limits, former, nowMs);
    if (!definition) throw validationFailed(errors);
    return definition;
  }

  /** Keeps these locations from being removed until `tx` ends. @throws 422 if one of them no longer exists */
  async holdLocations(tx: Tx, locations: readonly string[]): Promise<void> {
    const [missing] = await this.locations.missingIn(tx, locations);
    if (missing === undefined) return;
    throw fault(`/locations/${locations.indexOf(missing)}`, 'invalid_value', 'There is no such location.');
  }

  /** Validates the definition that a patch of a stored monitor results in. @throws 422 */
  acceptPatch(patch: JsonObject, stored: Monitor, nowMs: number): MonitorDefinition {
    if ('paused' in patch) throw fault('/paused', 'invalid_value', 'Use POST …/pause or POST …/resume instead.');
    return this.accept(patchDefinition(mergeBase(stored, nowMs), patch), stored, nowMs);
  }
}

/** Returns the writable fields to patch, without an expiry that has passed, which validation would reject. */
function mergeBase(monitor: Monitor, nowMs: number): JsonObject {
  const definition = toDefinition(monitor);
  if (monitor.expiresAt && monitor.expiresAt.getTime() <= nowMs) definition.expiresAt = null;
  return asJson(definition);
}

function fault(pointer: string, code: FieldErrorCode, detail: string): ProblemException {
  return validationFailed([{ pointer, code, detail }]);
}
