import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { leavesAsIs } from '../../database/leaves-as-is.js';
import { managerOf, Transactions } from '../../database/tx.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { type IfMatch, UNCONDITIONAL } from '../../http/items/if-match.decorator.js';
import { type KeyedResource, KeyedWrites, type PutOutcome } from '../../http/items/keyed-writes.js';
import { asJson, type JsonObject } from '../../http/body/json.js';
import { type TeamId } from '../../http/auth/principal.js';
import { notFound, validationFailed } from '../../http/problems/problem.js';
import { readObject } from '../../http/body/validation.js';
import { EventLog } from '../events/event-log.service.js';
import { type MonitorSelection, MonitorSelectionService } from '../monitors/definition/monitor-selection.service.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type MaintenanceWindowDto } from './dto/maintenance-window.dto.js';
import { lockWindow, MaintenancePassesService } from './maintenance-passes.service.js';
import { MaintenanceWindow } from './maintenance-window.entity.js';
import { toDefinitionDto } from './maintenance-window.mapper.js';
import { MaintenanceWindowsService } from './maintenance-windows.service.js';
import { changesOfWindow, windowEvent } from './window-events.js';
import { WindowLimit } from './window-limit.service.js';
import { readWindow, type WindowDefinition } from './window-write.js';

const RESOURCE: KeyedResource = { noun: 'maintenance window', keyConstraint: 'maintenance_windows_team_key' };

/** The columns that a caller writes. */
type Written = WindowDefinition & Pick<MaintenanceWindow, 'monitorIds' | 'tags'>;

/**
 * Writes maintenance windows for callers. Each write runs in one transaction, which also updates the monitors and reads
 * the response. No write changes past maintenance.
 */
@Injectable()
export class MaintenanceWindowWritesService {
  constructor(
    private readonly windows: MaintenanceWindowsService,
    private readonly passes: MaintenancePassesService,
    private readonly transactions: Transactions,
    private readonly keyed: KeyedWrites,
    private readonly monitors: MonitorsService,
    private readonly selection: MonitorSelectionService,
    private readonly limit: WindowLimit,
    private readonly events: EventLog,
  ) {}

  /** Creates a window. @throws 422, 409 `key_taken` */
  async create(teamId: TeamId, body: unknown, keep: KeepAnswer = KEEPS_NOTHING): Promise<MaintenanceWindowDto> {
    return this.insert(teamId, await this.accept(teamId, readObject(body)), keep);
  }

  /**
   * Stores a whole definition: replaces the window at the address or, with `key:<key>`, creates it. Of concurrent
   * writers, the last one wins. A window that was started manually stays active. @throws 404, 412, 422, 409
   */
  put(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
  ): Promise<PutOutcome<MaintenanceWindowDto>> {
    return this.keyed.put(
      RESOURCE,
      { address, body, ifMatch },
      {
        find: () => this.windows.findOrNull(teamId, address),
        replace: async (found, sent) => this.replace(teamId, found, await this.accept(teamId, sent)),
        create: async (sent) => this.insert(teamId, await this.accept(teamId, sent), KEEPS_NOTHING),
      },
    );
  }

  /** Applies a merge patch (RFC 7396) and validates the result like a create. @throws 404, 412, 422, 409 */
  async update(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
  ): Promise<MaintenanceWindowDto> {
    const { id } = await this.windows.find(teamId, address);
    return this.keyed.untilWritten(RESOURCE, async () => {
      const found = await this.windows.find(teamId, id);
      ifMatch.assert(found.revision);
      const patch = readObject(body);
      // All members are scalars or arrays, so a shallow merge is sufficient. Nulls stay, so that they are validated.
      const there = await this.monitors.addresses(teamId, found.monitorIds);
      const stored = toDefinitionDto(found, new Map([...there.keys()].map((one) => [one, one])));
      const merged = { ...asJson(stored), ...patch };
      // Stored monitors may have been deleted: they are kept unless others are sent.
      const kept = 'monitorIds' in patch || 'tags' in patch ? null : found;
      return this.replace(teamId, found, await this.accept(teamId, merged, kept));
    });
  }

  /** Deletes a window. Past maintenance does not change; current maintenance ends now. @throws 404, 412 */
  async remove(teamId: TeamId, address: string, ifMatch: IfMatch = UNCONDITIONAL): Promise<void> {
    const found = await this.windows.find(teamId, address);
    ifMatch.assert(found.revision);
    await this.transactions.run(async (tx) => {
      const window = await lockWindow(managerOf(tx), { id: found.id, teamId });
      if (!window) throw notFound();
      ifMatch.assert(window.revision);
      const nowMs = Date.now();
      const settled = await this.passes.settle(tx, window, nowMs);
      const nothing = { startsAt: null, endsAt: null, rrule: null, startedAt: null, startedUntil: null };
      await this.passes.settle(tx, { ...settled, ...nothing }, nowMs);
      await managerOf(tx).delete(MaintenanceWindow, { id: window.id, teamId });
      await this.events.record(tx, [windowEvent('maintenance_window.deleted', settled)], nowMs);
    });
  }

  private async insert(teamId: TeamId, written: Written, keep: KeepAnswer): Promise<MaintenanceWindowDto> {
    return this.keyed.run(RESOURCE, async (tx) => {
      const nowMs = Date.now();
      const now = new Date(nowMs);
      const nothing = {
        startedAt: null,
        startedUntil: null,
        cutAt: null,
        activeFrom: null,
        activeUntil: null,
        reportedActive: false,
      };
      const unknown = { nextStartsAt: null, dueAt: null };
      const times = { createdAt: now, updatedAt: now, settledUntil: now };
      const window = { ...written, ...nothing, ...unknown, ...times, id: uuidv7(), teamId, revision: 1 };
      await this.limit.assertRoom(tx, window, nowMs);
      await managerOf(tx).insert(MaintenanceWindow, window);
      const settled = await this.passes.settle(tx, window, nowMs);
      const answer = await this.windows.shownIn(tx, settled, nowMs);
      await this.events.record(tx, [windowEvent('maintenance_window.created', settled)], nowMs);
      await keep.in(tx, answer);
      return answer;
    });
  }

  /** Returns `null` if another write came first. */
  private replace(teamId: TeamId, { id, revision }: MaintenanceWindow, written: Written) {
    return this.keyed.run(RESOURCE, async (tx) => {
      const window = await lockWindow(managerOf(tx), { id, teamId });
      if (window?.revision !== revision) return null;
      const nowMs = Date.now();
      // An occurrence that was ended manually stays ended, unless the schedule changes.
      const cutAt = sameSchedule(window, written) ? window.cutAt : null;
      const settled = await this.passes.settle(tx, window, nowMs);
      const changes = { ...written, cutAt };
      if (leavesAsIs(window, changes)) return this.windows.shownIn(tx, settled, nowMs);
      const changed = await this.passes.rewrite(tx, settled, changes, nowMs);
      const edits = changesOfWindow(window, changed);
      await this.events.record(tx, [windowEvent('maintenance_window.updated', changed, edits)], nowMs);
      return this.windows.shownIn(tx, changed, nowMs);
    });
  }

  /** Validates a whole definition and resolves its monitors, unless it keeps a stored selection. @throws 422 */
  private async accept(teamId: TeamId, body: JsonObject, kept: MonitorSelection | null = null): Promise<Written> {
    const { window, errors } = readWindow(body);
    if (!window) throw validationFailed(errors);
    const { monitorIds, tags } = kept ?? (await this.selection.resolve(teamId, window.selection));
    return { ...window.definition, monitorIds, tags };
  }
}

function sameSchedule(a: MaintenanceWindow, b: Written): boolean {
  const text = ({ startsAt, endsAt, timezone, rrule }: Written): string =>
    JSON.stringify([startsAt, endsAt, timezone, rrule]);
  return text(a) === text(b);
}
