import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppConfig } from '../../config/app-config.js';
import { isUniqueViolation } from '../../database/unique-violation.js';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { itemAddress } from '../../http/item-address.js';
import { type JsonObject } from '../../http/json.js';
import { type Page } from '../../http/page.js';
import { type TeamId } from '../../http/principal.js';
import { notFound, ProblemException, validationFailed } from '../../http/problem.js';
import { readObject } from '../../http/validation.js';
import { createAddressPolicy } from '../../probes/net/address-policy.js';
import { CheckRequestsService } from './check-requests.service.js';
import { DefinitionSecretsService } from './definition-secrets.service.js';
import { type ListMonitorsQuery } from './dto/list-monitors.query.js';
import { type MonitorStatus } from './dto/monitor.dto.js';
import { MonitorListService } from './monitor-list.service.js';
import { MonitorStatesService } from './monitor-states.service.js';
import { type MonitorDefinition, patchDefinition, readDefinition, type WriteLimits } from './monitor-write.js';
import { Monitor } from './monitor.entity.js';
import { MonitorState } from './monitor-state.entity.js';
import { type MonitorDto, toDefinition, toMonitorDto } from './monitor.mapper.js';
import { hint } from './schedule-hints.js';
import { SpansService } from './spans.service.js';

/** Definitions of monitors: the writes of callers, each in one transaction, and reads of single monitors. */
@Injectable()
export class MonitorsService {
  private readonly limits: WriteLimits;

  constructor(
    @InjectRepository(Monitor) private readonly monitors: Repository<Monitor>,
    private readonly transactions: Transactions,
    private readonly states: MonitorStatesService,
    private readonly lists: MonitorListService,
    private readonly spans: SpansService,
    private readonly requests: CheckRequestsService,
    private readonly secrets: DefinitionSecretsService,
    private readonly config: AppConfig,
  ) {
    const policy = createAddressPolicy(config.get('ALLOW_PRIVATE_TARGETS'));
    this.limits = {
      minIntervalSeconds: config.get('MIN_INTERVAL_SECONDS'),
      locations: ['default'],
      refusesHost: (host) => policy.refusesHost(host),
    };
  }

  async list(teamId: TeamId, query: ListMonitorsQuery): Promise<Page<MonitorDto>> {
    return this.lists.page(teamId, query);
  }

  /** @throws 404 */
  async get(teamId: TeamId, address: string): Promise<MonitorDto> {
    const monitor = await this.find(teamId, address);
    const [view] = await this.lists.views([monitor]);
    if (!view) throw notFound();
    return toMonitorDto(view, this.config.origin, Date.now());
  }

  /** The monitor that a path names. @throws 404 */
  async find(teamId: TeamId, address: string): Promise<Monitor> {
    const item = itemAddress(address);
    const monitor = item && (await this.monitors.findOneBy({ teamId, ...item }));
    if (!monitor) throw notFound();
    return monitor;
  }

  /** Ids of the team's monitors by what paths may call them; what names none is left out. */
  async resolve(teamId: TeamId, addresses: readonly string[]): Promise<Map<string, { id: string; name: string }>> {
    const items = addresses.map((address) => ({ address, item: itemAddress(address) }));
    const ids = items.flatMap(({ item }) => (item && 'id' in item ? [item.id] : []));
    const keys = items.flatMap(({ item }) => (item && 'key' in item ? [item.key] : []));
    const rows: { id: string; key: string | null; name: string }[] = await this.monitors.query(
      'SELECT id, key, name FROM monitors WHERE team_id = $1 AND (id = ANY($2::uuid[]) OR key = ANY($3::text[]))',
      [teamId, ids, keys],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return new Map(
      items.flatMap(({ address, item }) => {
        const row = item && ('id' in item ? byId.get(item.id) : byKey.get(item.key));
        return row ? [[address, { id: row.id, name: row.name }]] : [];
      }),
    );
  }

  /** What is shown of these monitors, whose tenancy the caller has established; those that do not exist are left out. */
  async shown(ids: readonly string[]): Promise<Map<string, { status: MonitorStatus; since: Date }>> {
    const rows: { monitor_id: string; status: MonitorStatus; status_since: Date }[] = await this.monitors.query(
      'SELECT monitor_id, status, status_since FROM monitor_states WHERE monitor_id = ANY($1::uuid[])',
      [ids],
    );
    return new Map(rows.map((row) => [row.monitor_id, { status: row.status, since: row.status_since }]));
  }

  /** @throws 422, 409 `key_taken` */
  async create(teamId: TeamId, body: unknown): Promise<MonitorDto> {
    const nowMs = Date.now();
    const definition = this.accept(readObject(body), null, nowMs);
    const id = uuidv7();
    await this.write(async (tx) => {
      const manager = managerOf(tx);
      const now = new Date(nowMs);
      const pausedAt = definition.paused ? now : null;
      await manager.insert(Monitor, {
        ...this.columns(definition),
        id,
        teamId,
        pausedAt,
        createdAt: now,
        updatedAt: now,
      });
      const status = definition.paused ? 'paused' : 'pending';
      await manager.insert(MonitorState, { monitorId: id, teamId, status, verifying: null, statusSince: now });
      if (definition.paused) await this.spans.pause(tx, id, nowMs, null, null);
      else await this.requests.add(tx, id, definition.locations, 'created', nowMs);
      await hint(manager, { monitorId: id });
    });
    return this.get(teamId, id);
  }

  /** Merges a patch (RFC 7396) onto the definition and validates the outcome as a create. @throws 404, 422, 409 */
  async update(teamId: TeamId, address: string, body: unknown): Promise<MonitorDto> {
    const found = await this.find(teamId, address);
    const patch = readObject(body);
    await this.write(async (tx) => {
      const monitor = await this.lockOne(tx, teamId, found.id);
      const nowMs = Date.now();
      if ('paused' in patch) throw fault('/paused', 'invalid_value', 'Use POST …/pause and POST …/resume.');
      if (typeof patch.type === 'string' && patch.type !== monitor.type) {
        throw fault('/type', 'immutable', 'The type is fixed after creation.');
      }
      const stored = { type: monitor.type, fields: this.secrets.open(monitor.type, monitor.definition) };
      const definition = this.accept(patchDefinition(this.mergeBase(monitor, nowMs), patch), stored, nowMs);
      const columns = this.columns(definition);
      // What expires is deleted all the same, unless the patch itself gives it another time.
      if (!('expiresAt' in patch || 'expiresInSeconds' in patch)) columns.expiresAt = monitor.expiresAt;
      await managerOf(tx).update(
        Monitor,
        { id: monitor.id, teamId },
        { ...columns, revision: monitor.revision + 1, updatedAt: new Date(nowMs) },
      );
      await this.states.refresh(tx, await this.states.lock(tx, [monitor.id]), nowMs);
      await hint(managerOf(tx), { monitorId: monitor.id });
    });
    return this.get(teamId, found.id);
  }

  /** @throws 404 */
  async remove(teamId: TeamId, address: string): Promise<void> {
    const found = await this.find(teamId, address);
    await this.write(async (tx) => {
      const monitor = await this.lockOne(tx, teamId, found.id);
      await managerOf(tx).delete(Monitor, { id: monitor.id, teamId });
      await hint(managerOf(tx), { monitorId: monitor.id });
    });
  }

  /** The stored monitor under the lock that every writer of its state takes. @throws 404 */
  async lockOne(tx: Tx, teamId: TeamId, id: string): Promise<Monitor> {
    await this.states.lock(tx, [id]);
    const monitor = await managerOf(tx).findOneBy(Monitor, { teamId, id });
    if (!monitor) throw notFound();
    return monitor;
  }

  private accept(raw: JsonObject, stored: { type: string; fields: object } | null, nowMs: number): MonitorDefinition {
    const { definition, errors } = readDefinition(raw, this.limits, stored, nowMs);
    if (!definition) throw validationFailed(errors);
    return definition;
  }

  /** The writable view that a patch is laid over. An expiry that has just passed must not fail a patch of something else. */
  private mergeBase(monitor: Monitor, nowMs: number): JsonObject {
    const definition = toDefinition(monitor);
    if (monitor.expiresAt && monitor.expiresAt.getTime() <= nowMs) definition.expiresAt = null;
    return definition;
  }

  private columns(definition: MonitorDefinition) {
    const { fields, paused, ...columns } = definition;
    return { ...columns, definition: this.secrets.seal(definition.type, fields) as object };
  }

  private async write(work: (tx: Tx) => Promise<void>): Promise<void> {
    try {
      await this.transactions.run(work);
    } catch (error) {
      if (isUniqueViolation(error, 'monitors_team_key')) {
        throw new ProblemException(409, 'key_taken', 'Another monitor of the team has this key.');
      }
      throw error;
    }
  }
}

function fault(pointer: string, code: string, detail: string): ProblemException {
  return validationFailed([{ pointer, code, detail }]);
}
