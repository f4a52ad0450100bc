import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { matchIncidents } from '../../domain/incident-match.js';
import { CALM_MS, FLAP_WINDOW_MS, incidentsOf } from '../../domain/incident-timeline.js';
import { type Confirmation, confirmationOf } from '../../domain/outage-confirmation.js';
import { downRuns, mergeLocations } from '../../domain/state-timeline.js';
import { EventLog } from '../events/event-log.service.js';
import { type NewEvent } from '../events/new-event.types.js';
import { ChecksService } from '../checks/checks.service.js';
import { HistoryService, type MonitorHistory } from '../monitors/history/history.service.js';
import { LATE_LIMIT_MS, MonitorStatesService } from '../monitors/state/monitor-states.service.js';
import { correctedEvent, openedEvents, orphanedEvent, retractedEvent } from './incident-events.js';
import { IncidentGroupsService } from './incident-groups.service.js';
import {
  type CorrectedIncident,
  type IncidentTimes,
  insertIncidents,
  lockTeams,
  type OpenedIncident,
  readStored,
  type StoredIncident,
  titleOf,
  updateIncidents,
  withdrawIncidents,
} from './detected-records.js';
import { closeOrphans, monitorsToBackFill, noteBackFilled, outOfStep } from './detected-upkeep.js';
import { type IncidentCause } from './incident.entity.js';

/** How far back results can change the history, and with it the incidents. */
const REACH_MS = LATE_LIMIT_MS + FLAP_WINDOW_MS + CALM_MS;

/** Opens and resolves incidents according to the histories of monitors. */
@Injectable()
export class DetectedIncidentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly history: HistoryService,
    private readonly states: MonitorStatesService,
    private readonly checks: ChecksService,
    private readonly groups: IncidentGroupsService,
    private readonly events: EventLog,
  ) {}

  /**
   * Reconciles the incidents of these monitors, which the caller has locked, with their histories: opens, corrects,
   * resolves and withdraws them. Idempotent. `late`: monitors with a result that arrived after newer ones, which can
   * change the cause of an incident even if its times stay the same.
   */
  async reconcile(tx: Tx, monitorIds: readonly string[], nowMs: number, late?: ReadonlySet<string>): Promise<void> {
    if (monitorIds.length === 0) return;
    const manager = managerOf(tx);
    await lockTeams(manager, monitorIds);
    const sinceMs = nowMs - REACH_MS;
    const stored = await readStored(manager, monitorIds, sinceMs);
    const fromMs = Math.min(sinceMs, ...[...stored.values()].flat().map((one) => one.startedAt)) - FLAP_WINDOW_MS;
    const histories = await this.history.read(monitorIds, fromMs, { tx });

    const opened: OpenedIncident[] = [];
    const corrected: CorrectedIncident[] = [];
    const events: NewEvent[] = [];
    const withdrawn: StoredIncident[] = [];
    for (const history of histories.values()) {
      const known = stored.get(history.monitorId) ?? [];
      // An incident that was open until now may have ended long ago.
      const openSince = Math.min(
        sinceMs,
        ...known.filter((one) => one.resolvedAt === null).map((one) => one.startedAt),
      );
      const told = incidentsIn(history, nowMs).filter(({ resolvedAt }) => (resolvedAt ?? Infinity) >= openSince);
      const match = matchIncidents(known, told);
      for (const one of match.opened) opened.push(await this.opening(tx, history, one));
      for (const { stored: before, computed } of match.kept) {
        if (isSame(timesOf(before), timesOf(computed)) && !late?.has(history.monitorId)) continue;
        const cause = await this.causeOf(tx, computed, before.cause);
        const isQuiet = isSame(timesOf(before), timesOf(computed)) && isSame(partsOf(before.cause), partsOf(cause));
        if (isQuiet) continue;
        const after = { ...before, ...computed, cause };
        corrected.push(after);
        events.push(correctedEvent(before, after));
      }
      withdrawn.push(...match.withdrawn);
    }
    if (opened.length + corrected.length + withdrawn.length === 0) return;
    await insertIncidents(manager, opened, nowMs);
    await updateIncidents(manager, corrected, nowMs);
    await withdrawIncidents(manager, withdrawn, nowMs);
    await this.groups.regroup(tx, monitorIds, sinceMs);
    await this.events.record(
      tx,
      [...withdrawn.filter(isPresent).map(retractedEvent), ...events, ...opened.flatMap(openedEvents)],
      nowMs,
    );
  }

  /** Applies changes without a new result: the end of a calm period or of maintenance, and deleted monitors. */
  async sweep(nowMs: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const closed = await closeOrphans(managerOf(tx), nowMs);
      await this.events.record(tx, closed.map(orphanedEvent), nowMs);
    });
    const ids = await outOfStep(this.dataSource.manager, nowMs);
    if (ids.length === 0) return;
    await this.transactions.run(async (tx) => {
      const locked = await this.states.lock(tx, ids);
      await this.reconcile(tx, [...locked.keys()], nowMs);
    });
  }

  /**
   * Creates incidents for outages that ended before incidents were recorded, for some monitors at a time. Does not
   * change existing incidents. Returns false if nothing is left to do.
   */
  async backFill(nowMs: number): Promise<boolean> {
    const ids = await monitorsToBackFill(this.dataSource.manager);
    if (ids.length === 0) return false;
    await this.transactions.run(async (tx) => {
      const manager = managerOf(tx);
      const locked = [...(await this.states.lock(tx, ids)).keys()];
      await lockTeams(manager, locked);
      const stored = await readStored(manager, locked, 0);
      const histories = await this.history.read(locked, 0, { tx });
      const opened: OpenedIncident[] = [];
      for (const history of histories.values()) {
        const past = incidentsIn(history, nowMs).filter(({ resolvedAt }) => resolvedAt !== null && resolvedAt < nowMs);
        const missing = matchIncidents(stored.get(history.monitorId) ?? [], past).opened;
        for (const one of missing) opened.push(await this.opening(tx, history, one));
      }
      await insertIncidents(manager, opened, nowMs);
      await noteBackFilled(manager, ids);
    });
    return true;
  }

  private async opening(tx: Tx, { teamId, name }: MonitorHistory, told: ToldIncident): Promise<OpenedIncident> {
    return { ...told, id: uuidv7(), teamId, title: titleOf(name), cause: await this.causeOf(tx, told, null) };
  }

  /** Returns the cause of an incident from its checks; where they are deleted, the stored cause is retained. */
  private async causeOf(tx: Tx, incident: ToldIncident, kept: IncidentCause | null): Promise<IncidentCause> {
    const { monitorId, beganAt, confirmation, resolvedAt } = incident;
    const first = confirmation && (await this.checks.evidence(tx, { monitorId, ...confirmation }));
    const last = resolvedAt === null ? null : await this.checks.lastFailure(tx, monitorId, beganAt, resolvedAt);
    return {
      errorCode: first?.errorCode ?? kept?.errorCode ?? null,
      message: first?.message ?? kept?.message ?? null,
      statusCode: first ? first.statusCode : (kept?.statusCode ?? null),
      firstFailedCheckId: first?.firstFailedCheckId ?? kept?.firstFailedCheckId ?? null,
      lastFailedCheckId: resolvedAt === null ? null : (last ?? kept?.lastFailedCheckId ?? null),
      failedAssertions: first?.failedAssertions ?? kept?.failedAssertions ?? [],
    };
  }
}

/** An incident as it follows from a history, before its checks are read. */
interface ToldIncident extends IncidentTimes {
  /** When its first outage began, even if that was during maintenance. */
  beganAt: number;
  confirmation: Confirmation | null;
}

function incidentsIn({ monitorId, locations, quorum, spans }: MonitorHistory, nowMs: number): ToldIncident[] {
  const runs = downRuns(mergeLocations(locations, quorum, nowMs));
  return incidentsOf(runs, spans.maintenance, nowMs).map(({ startedAt, resolvedAt, settlesAt, outages }) => {
    const beganAt = outages[0]!.from;
    const confirmation = confirmationOf(beganAt, locations);
    const confirmedAt = Math.max(startedAt, confirmation?.confirmedAt ?? 0);
    const times = { startedAt, confirmedAt, resolvedAt, settlesAt, outageCount: outages.length };
    return { monitorId, ...times, beganAt, confirmation };
  });
}

function timesOf({ startedAt, confirmedAt, resolvedAt, settlesAt, outageCount }: IncidentTimes): unknown[] {
  return [startedAt, confirmedAt, resolvedAt, settlesAt, outageCount];
}

/** Returns the members in a fixed order, because JSONB does not preserve it. */
function partsOf(cause: IncidentCause | null): unknown[] {
  return [
    cause?.errorCode,
    cause?.message,
    cause?.statusCode ?? null,
    cause?.firstFailedCheckId,
    cause?.lastFailedCheckId,
    cause?.failedAssertions.map(({ index, actual }) => [index, actual]),
  ];
}

function isSame(a: unknown[], b: unknown[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns whether an incident has a duration; one that was withdrawn before has none. */
function isPresent({ startedAt, resolvedAt }: StoredIncident): boolean {
  return startedAt !== resolvedAt;
}
