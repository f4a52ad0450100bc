import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { matchIncidents } from '../../domain/incident-match.js';
import { CALM_MS, FLAP_WINDOW_MS, incidentsOf } from '../../domain/incident-timeline.js';
import { confirmationOf } from '../../domain/outage-confirmation.js';
import { downRuns, mergeLocations } from '../../domain/state-timeline.js';
import { EventLog } from '../events/event-log.service.js';
import { ChecksService, type FailingSpan, type OutageEvidence, type SeenOutage } from '../checks/checks.service.js';
import { HistoryService, type MonitorHistory } from '../monitors/history/history.service.js';
import { type AppliedResults, LATE_LIMIT_MS, MonitorStatesService } from '../monitors/state/monitor-states.service.js';
import { correctedEvents, openedEvents, orphanedEvent, retractedEvent } from './incident-events.js';
import { IncidentGroupsService } from './incident-groups.service.js';
import {
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
import { closeOrphans, hasOrphans, monitorsToBackFill, noteBackFilled, outOfStep } from './detected-upkeep.js';
import { type IncidentCause } from './incident.entity.js';

/** How results have changed histories. */
type HistoryChanges = Pick<AppliedResults, 'late' | 'changedFrom'>;

const NO_CHANGES: HistoryChanges = { late: new Set(), changedFrom: Infinity };

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
   * resolves and withdraws them. Idempotent. A result that arrived after newer ones can change the cause of an incident
   * even if its times stay the same.
   */
  async reconcile(
    tx: Tx,
    monitorIds: readonly string[],
    nowMs: number,
    { late, changedFrom }: HistoryChanges = NO_CHANGES,
  ): Promise<void> {
    if (monitorIds.length === 0) return;
    const manager = managerOf(tx);
    await lockTeams(manager, monitorIds);
    // How far back the history can have changed, and with it the incidents: a new outage may belong to an earlier one.
    const sinceMs = Math.min(nowMs - LATE_LIMIT_MS, changedFrom) - FLAP_WINDOW_MS - CALM_MS;
    const stored = await readStored(manager, monitorIds, sinceMs);
    const fromMs = Math.min(sinceMs, ...[...stored.values()].flat().map((one) => one.startedAt)) - FLAP_WINDOW_MS;
    const histories = await this.history.read(monitorIds, fromMs, { tx });

    const matches = [...histories.values()].map((history) => {
      const known = stored.get(history.monitorId) ?? [];
      // An incident that was open until now may have ended long ago.
      const openSince = Math.min(
        sinceMs,
        ...known.filter((one) => one.resolvedAt === null).map((one) => one.startedAt),
      );
      const told = incidentsIn(history, nowMs).filter(({ resolvedAt }) => (resolvedAt ?? Infinity) >= openSince);
      return { history, ...matchIncidents(known, told) };
    });
    const opened = await this.openings(tx, matches);
    const kept = matches.flatMap((match) => match.kept);
    const changed = kept.filter(
      ({ stored: before, computed }) => !isSame(timesOf(before), timesOf(computed)) || late.has(computed.monitorId),
    );
    const evidence = await this.evidenceOf(
      tx,
      changed.map(({ computed }) => computed),
    );
    const corrections = changed.flatMap(({ stored: before, computed }) => {
      const cause = causeOf(computed, evidence, before.cause);
      const isQuiet = isSame(timesOf(before), timesOf(computed)) && isSame(partsOf(before.cause), partsOf(cause));
      return isQuiet ? [] : [{ before, after: { ...before, ...computed, cause } }];
    });
    const withdrawn = matches.flatMap((match) => match.withdrawn);
    if (opened.length + corrections.length + withdrawn.length === 0) return;
    await insertIncidents(manager, opened, nowMs);
    await updateIncidents(
      manager,
      corrections.map(({ after }) => after),
      nowMs,
    );
    await withdrawIncidents(manager, withdrawn, nowMs);
    await this.groups.regroup(tx, monitorIds, sinceMs);
    await this.events.record(
      tx,
      [
        ...withdrawn.filter(isPresent).map(retractedEvent),
        ...corrections.flatMap(({ before, after }) => correctedEvents(before, after)),
        ...opened.flatMap(openedEvents),
      ],
      nowMs,
    );
  }

  /** Applies changes without a new result: the end of a calm period or of maintenance, and deleted monitors. */
  async sweep(nowMs: number): Promise<void> {
    const { manager } = this.dataSource;
    // Most sweeps find nothing, which takes no transaction.
    if (await hasOrphans(manager)) {
      await this.transactions.run(async (tx) => {
        const closed = await closeOrphans(managerOf(tx), nowMs);
        await this.events.record(tx, closed.map(orphanedEvent), nowMs);
      });
    }
    const ids = await outOfStep(manager, nowMs);
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
      const matches = [...histories.values()].map((history) => {
        const past = incidentsIn(history, nowMs).filter(({ resolvedAt }) => resolvedAt !== null && resolvedAt < nowMs);
        return { history, ...matchIncidents(stored.get(history.monitorId) ?? [], past) };
      });
      await insertIncidents(manager, await this.openings(tx, matches), nowMs);
      await noteBackFilled(manager, ids);
    });
    return true;
  }

  /** Returns the incidents to open, with their causes. */
  private async openings(
    tx: Tx,
    matches: readonly { history: MonitorHistory; opened: readonly ToldIncident[] }[],
  ): Promise<OpenedIncident[]> {
    const evidence = await this.evidenceOf(
      tx,
      matches.flatMap(({ opened }) => opened),
    );
    return matches.flatMap(({ history: { teamId, name }, opened }) =>
      opened.map((one) => ({
        ...one,
        id: uuidv7(),
        teamId,
        title: titleOf(name),
        cause: causeOf(one, evidence, null),
      })),
    );
  }

  /** Reads the checks of all incidents at once, because a common fault may open thousands in a second. */
  private async evidenceOf(tx: Tx, incidents: readonly ToldIncident[]): Promise<Evidence> {
    return {
      ofOutage: await this.checks.evidence(
        tx,
        incidents.flatMap(({ confirmation }) => confirmation ?? []),
      ),
      lastFailure: await this.checks.lastFailures(
        tx,
        incidents.flatMap(({ failing }) => failing ?? []),
      ),
    };
  }
}

/** What the stored checks tell about outages. */
interface Evidence {
  ofOutage: ReadonlyMap<SeenOutage, OutageEvidence>;
  lastFailure: ReadonlyMap<FailingSpan, string>;
}

/** Returns the cause of an incident from its checks; where they are deleted, the stored cause is retained. */
function causeOf(
  { confirmation, failing }: ToldIncident,
  { ofOutage, lastFailure }: Evidence,
  kept: IncidentCause | null,
): IncidentCause {
  const first = confirmation && ofOutage.get(confirmation);
  const last = failing && lastFailure.get(failing);
  return {
    errorCode: first?.errorCode ?? kept?.errorCode ?? null,
    message: first?.message ?? kept?.message ?? null,
    statusCode: first ? first.statusCode : (kept?.statusCode ?? null),
    firstFailedCheckId: first?.firstFailedCheckId ?? kept?.firstFailedCheckId ?? null,
    lastFailedCheckId: failing && (last ?? kept?.lastFailedCheckId ?? null),
    failedAssertions: first?.failedAssertions ?? kept?.failedAssertions ?? [],
  };
}

/** An incident as it follows from a history, before its checks are read. */
interface ToldIncident extends IncidentTimes {
  confirmation: SeenOutage | null;
  /** From when its first outage began, even if that was during maintenance, to its end; `null` while it is open. */
  failing: FailingSpan | null;
}

function incidentsIn({ monitorId, locations, quorum, spans }: MonitorHistory, nowMs: number): ToldIncident[] {
  const runs = downRuns(mergeLocations(locations, quorum, nowMs));
  return incidentsOf(runs, spans.maintenance, nowMs).map(({ startedAt, resolvedAt, settlesAt, outages }) => {
    const beganAt = outages[0]!.from;
    const confirmation = confirmationOf(beganAt, locations);
    const confirmedAt = Math.max(startedAt, confirmation?.confirmedAt ?? 0);
    return {
      ...{ monitorId, startedAt, confirmedAt, resolvedAt, settlesAt, outageCount: outages.length },
      confirmation: confirmation && { monitorId, ...confirmation },
      failing: resolvedAt === null ? null : { monitorId, fromMs: beganAt, toMs: resolvedAt },
    };
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
