import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { leavesAsIs } from '../../../database/leaves-as-is.js';
import { managerOf, Transactions, type Tx } from '../../../database/tx.js';
import { jsonChanges, maskedChanges } from '../../../domain/json-changes.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../../http/idempotency/keep-answer.js';
import { type IfMatch, UNCONDITIONAL } from '../../../http/items/if-match.decorator.js';
import { type KeyedResource, KeyedWrites, type PutOutcome } from '../../../http/items/keyed-writes.js';
import { asJson, type JsonObject } from '../../../http/body/json.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { expectNoFields, readObject } from '../../../http/body/validation.js';
import { ProblemException } from '../../../http/problems/problem.js';
import { awaitsReports, probeOf } from '../../../probes/index.js';
import { CertificateReadingsService } from '../../certificates/certificate-readings.service.js';
import { DomainReadingsService } from '../../domains/domain-readings.service.js';
import { EventLog } from '../../events/event-log.service.js';
import { TeamLimits } from '../../teams/team-limits.service.js';
import { CheckRequestsService } from '../schedule/check-requests.service.js';
import { HeartbeatsService } from '../heartbeat/heartbeats.service.js';
import { DefinitionSecretsService } from './definition-secrets.service.js';
import { MonitorDependenciesService } from './monitor-dependencies.service.js';
import { MonitorPausesService } from '../history/monitor-pauses.service.js';
import { MonitorState } from '../state/monitor-state.entity.js';
import { monitorEvent } from './monitor-events.js';
import { withDefaults } from './monitor-fields.js';
import { replaceDefinition } from './monitor-replacement.js';
import { MonitorRulesService } from './monitor-rules.service.js';
import { type MonitorDefinition } from './monitor-write.js';
import { Monitor } from './monitor.entity.js';
import { type MonitorDto } from '../dto/monitor.dto.js';
import { toDefinition } from '../monitor.mapper.js';
import { MonitorsService } from '../monitors.service.js';
import { type ScheduleDefinition, ScheduleHistoryService } from '../schedule/schedule-history.service.js';
import { hint } from '../schedule/schedule-hints.js';
import { SpansService } from '../history/spans.service.js';

const RESOURCE: KeyedResource = { noun: 'monitor', keyConstraint: 'monitors_team_key' };

/** The columns that a caller writes; the parents only if they were sent. */
type WrittenColumns = ScheduleDefinition & { target: string; definition: object; parentIds?: string[] };

/** Writes definitions for callers. Each write runs in one transaction, which also reads the response. */
@Injectable()
export class MonitorWritesService {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly transactions: Transactions,
    private readonly keyed: KeyedWrites,
    private readonly spans: SpansService,
    private readonly schedules: ScheduleHistoryService,
    private readonly pauses: MonitorPausesService,
    private readonly requests: CheckRequestsService,
    private readonly secrets: DefinitionSecretsService,
    private readonly dependencies: MonitorDependenciesService,
    private readonly rules: MonitorRulesService,
    private readonly teamLimits: TeamLimits,
    private readonly certificates: CertificateReadingsService,
    private readonly domains: DomainReadingsService,
    private readonly events: EventLog,
    private readonly heartbeats: HeartbeatsService,
  ) {}

  /** Creates a monitor. @throws 422, 409 `key_taken` */
  create(teamId: TeamId, body: unknown, keep: KeepAnswer = KEEPS_NOTHING): Promise<MonitorDto> {
    return this.insert(teamId, readObject(body), keep);
  }

  /**
   * Stores a whole definition: replaces the monitor at the address or, with `key:<key>`, creates it. Of concurrent
   * writers, the last one wins. @throws 404 for an id without a monitor, 412, 422, 409 `key_taken`
   */
  put(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
  ): Promise<PutOutcome<MonitorDto>> {
    return this.keyed.put(
      RESOURCE,
      { address, body, ifMatch },
      {
        find: () => this.monitors.findOrNull(teamId, address),
        replace: (found, sent) => this.replace(teamId, found, sent, ifMatch),
        create: (sent) => this.insert(teamId, sent, KEEPS_NOTHING),
      },
    );
  }

  /** Applies a merge patch (RFC 7396) and validates the result like a create. @throws 404, 412, 422, 409 */
  async update(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<MonitorDto> {
    const found = await this.monitors.find(teamId, address);
    ifMatch.assert(found.revision);
    const patch = readObject(body);
    return this.patch(teamId, found.id, () => patch, ifMatch, keep);
  }

  /**
   * Gives a heartbeat monitor a new address for the reports of its job. The previous one is no longer accepted.
   * @throws 404, 412, 409 `rotation_unsupported` for a monitor of another type
   */
  async rotateToken(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<MonitorDto> {
    const found = await this.monitors.find(teamId, address);
    ifMatch.assert(found.revision);
    expectNoFields(body);
    if (!awaitsReports(found.type)) {
      throw new ProblemException(409, 'rotation_unsupported', 'Only monitors of type heartbeat have a token.');
    }
    return this.patch(teamId, found.id, () => ({ token: randomUUID() }), ifMatch, keep);
  }

  /** Adds and removes tags, whatever concurrent writers add and remove. @throws 404, 422 for too many tags */
  changeTags(
    teamId: TeamId,
    id: string,
    { add, remove }: { add: readonly string[]; remove: readonly string[] },
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<MonitorDto> {
    const patchOf = ({ tags }: Monitor): JsonObject => ({
      tags: [...new Set([...tags, ...add])].filter((tag) => !remove.includes(tag)),
    });
    return this.patch(teamId, id, patchOf, UNCONDITIONAL, keep);
  }

  /** Applies the patch for the monitor as it is under its lock. */
  private patch(
    teamId: TeamId,
    id: string,
    patchOf: (monitor: Monitor) => JsonObject,
    ifMatch: IfMatch,
    keep: KeepAnswer,
  ): Promise<MonitorDto> {
    return this.keyed.run(RESOURCE, async (tx) => {
      const monitor = await this.monitors.lockOne(tx, teamId, id);
      ifMatch.assert(monitor.revision);
      const patch = patchOf(monitor);
      const nowMs = Date.now();
      const definition = this.rules.acceptPatch(patch, monitor, nowMs);
      const columns = this.columns(definition);
      // Validation omits an expiry that has passed. Only the patch itself may change it.
      if (!('expiresAt' in patch || 'expiresInSeconds' in patch)) columns.expiresAt = monitor.expiresAt;
      // Unchanged parents are not written, because one of them may be deleted concurrently.
      const parents = 'parentIds' in patch ? await this.parents(tx, teamId, definition, monitor.id) : {};
      await this.store(tx, monitor, { ...columns, ...parents }, nowMs);
      const answer = await this.pauses.settle(tx, teamId, monitor.id, nowMs);
      await keep.in(tx, answer);
      return answer;
    });
  }

  /** Deletes a monitor. @throws 404, 412 */
  async remove(
    teamId: TeamId,
    address: string,
    ifMatch: IfMatch = UNCONDITIONAL,
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<void> {
    const found = await this.monitors.find(teamId, address);
    await this.transactions.run(async (tx) => {
      const monitor = await this.monitors.lockOne(tx, teamId, found.id);
      ifMatch.assert(monitor.revision);
      await this.dependencies.release(tx, [monitor.id]);
      await managerOf(tx).delete(Monitor, { id: monitor.id, teamId });
      await this.events.record(tx, [monitorEvent('monitor.deleted', monitor)]);
      await hint(managerOf(tx), { monitorId: monitor.id });
      await keep.in(tx, { id: monitor.id });
    });
  }

  private async replace(teamId: TeamId, found: Monitor, sent: JsonObject, ifMatch: IfMatch): Promise<MonitorDto> {
    return this.keyed.run(RESOURCE, async (tx) => {
      const monitor = await this.monitors.lockOne(tx, teamId, found.id);
      ifMatch.assert(monitor.revision);
      const nowMs = Date.now();
      const whole = replaceDefinition(monitor.type, asJson(toDefinition(monitor)), sent);
      const definition = this.rules.accept(whole, monitor, nowMs);
      const parents = await this.parents(tx, teamId, definition, monitor.id);
      const isStored = await this.store(tx, monitor, { ...this.columns(definition), ...parents }, nowMs);
      const current = { ...monitor, locations: definition.locations };
      const isSet = await this.pauses.set(tx, current, definition.paused, nowMs);
      if (isSet && !isStored) {
        const changes = { revision: monitor.revision + 1, updatedAt: new Date(nowMs) };
        await managerOf(tx).update(Monitor, { id: monitor.id, teamId }, changes);
      }
      return this.pauses.settle(tx, teamId, monitor.id, nowMs);
    });
  }

  private async insert(teamId: TeamId, sent: JsonObject, keep: KeepAnswer): Promise<MonitorDto> {
    const nowMs = Date.now();
    const definition = this.rules.accept(sent, null, nowMs);
    return this.keyed.run(RESOURCE, async (tx) => {
      const monitor = await this.insertIn(tx, teamId, definition, nowMs);
      await keep.in(tx, monitor);
      return monitor;
    });
  }

  private async insertIn(tx: Tx, teamId: TeamId, definition: MonitorDefinition, nowMs: number): Promise<MonitorDto> {
    const id = uuidv7();
    const manager = managerOf(tx);
    const now = new Date(nowMs);
    const times = { createdAt: now, updatedAt: now, pausedAt: definition.paused ? now : null };
    await this.teamLimits.assertRoom(tx, teamId, 'MAX_MONITORS_PER_TEAM', Monitor, { teamId });
    const parents = await this.parents(tx, teamId, definition, null);
    await this.rules.holdLocations(tx, definition.locations);
    await manager.insert(Monitor, { ...this.columns(definition), ...parents, ...times, id, teamId });
    const status = definition.paused ? 'paused' : 'pending';
    await manager.insert(MonitorState, { monitorId: id, teamId, status, verifying: null, statusSince: now });
    await this.schedules.note(tx, id, definition, nowMs);
    await this.heartbeats.noteToken(tx, { id, type: definition.type, token: definition.fields.token });
    if (definition.paused) await this.spans.pause(tx, id, nowMs, null, null);
    else if (!awaitsReports(definition.type)) {
      await this.requests.add(tx, id, definition.locations, 'created', nowMs);
    }
    await hint(manager, { monitorId: id });
    const { key, name, type } = definition;
    await this.events.record(
      tx,
      [monitorEvent('monitor.created', { id, teamId, key, name }, { data: { type } })],
      nowMs,
    );
    return this.monitors.shownIn(tx, teamId, id);
  }

  /** Stores changed columns, and returns whether there were any. */
  private async store(tx: Tx, monitor: Monitor, columns: WrittenColumns, nowMs: number): Promise<boolean> {
    const { id, teamId, revision } = monitor;
    if (leavesAsIs(this.opened(monitor), this.opened({ ...columns, type: monitor.type }))) return false;
    if (!isDeepStrictEqual(columns.locations, monitor.locations)) {
      await this.rules.holdLocations(tx, columns.locations);
      await this.requests.keepAt(tx, id, columns.locations);
    }
    const changes = { ...columns, revision: revision + 1, updatedAt: new Date(nowMs) };
    await managerOf(tx).update(Monitor, { id, teamId }, changes);
    await this.schedules.noteChange(tx, monitor, columns, nowMs);
    if (awaitsReports(monitor.type)) await this.noteHeartbeat(tx, monitor, columns.definition, nowMs);
    if (columns.target !== monitor.target) {
      await this.certificates.forget(tx, id);
      await this.domains.forget(tx, id);
    }
    await this.recordChange(tx, monitor, { ...monitor, ...changes } as Monitor, nowMs);
    return true;
  }

  private async noteHeartbeat(
    tx: Tx,
    { id, type, definition }: Monitor,
    changed: object,
    nowMs: number,
  ): Promise<void> {
    const { token } = this.secrets.open(type, changed);
    await this.heartbeats.noteToken(tx, { id, type, token });
    const probe = probeOf(type)!;
    const [before, after] = [definition, changed].map((one) => probe.awaits!(one));
    if (isDeepStrictEqual(before, after)) return;
    await this.heartbeats.applyRule(tx, id, before!, after!, nowMs);
  }

  private async recordChange(tx: Tx, before: Monitor, after: Monitor, nowMs: number): Promise<void> {
    const [shownBefore, shownAfter] = [before, after].map(toDefinition);
    const plain = [before, after].map((one) => ({
      ...toDefinition(one),
      ...this.secrets.open(one.type, one.definition),
    }));
    const changes = maskedChanges(jsonChanges(plain[0], plain[1]), shownBefore, shownAfter);
    await this.events.record(tx, [monitorEvent('monitor.updated', after, { changes })], nowMs);
  }

  /**
   * Opens secrets for comparison, because sealing the same secret twice gives different results. Fills in the defaults
   * of fields that did not exist when a definition was stored, because adding them does not change it.
   */
  private opened<T extends { type: string; definition: object }>(row: T): object {
    const defaults = probeOf(row.type)?.defaults as Record<string, unknown>;
    return { ...row, definition: withDefaults(this.secrets.open(row.type, row.definition), defaults) };
  }

  /** Resolves the parents of a definition. @throws 422 */
  private async parents(tx: Tx, teamId: TeamId, { parentIds }: MonitorDefinition, childId: string | null) {
    return { parentIds: await this.dependencies.resolve(tx, teamId, parentIds, childId) };
  }

  /** Returns all columns except the parents. */
  private columns(definition: MonitorDefinition) {
    const { fields, paused, parentIds, ...columns } = definition;
    return { ...columns, definition: this.secrets.seal(definition.type, fields) as object };
  }
}
