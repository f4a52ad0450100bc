import { Injectable } from '@nestjs/common';
import { type Tx } from '../../database/tx.js';
import { type AlertFacts, closedAt } from '../../domain/notification-plan/facts.js';
import { type TeamId } from '../../http/auth/principal.js';
import { AlertContext, type DependentSpan, type MonitorSpan } from './alert-context.service.js';
import { type AlertHistory } from './alert-history.js';
import { type SeenMonitor } from './notification-timer.entity.js';

/** An alert of a team. */
interface TeamAlert {
  teamId: TeamId;
  history: AlertHistory;
}

/** Gathers the facts that plans are made from, for many alerts at once. */
@Injectable()
export class AlertFactsService {
  constructor(private readonly context: AlertContext) {}

  /**
   * Returns the facts of alerts, in their order.
   * @param children whether they stand for the alerts of children whose incidents are open, or were at any time
   */
  async of(
    tx: Tx,
    alerts: readonly (TeamAlert & { monitors: readonly SeenMonitor[] })[],
    children: 'open' | 'all' = 'open',
  ): Promise<AlertFacts[]> {
    const watched = alerts.map(({ history, monitors }) => {
      const { episode, event, isDrill, recordedAt, resumedAt, subject } = history;
      const failedSince = subject.startedAt === null ? recordedAt : Date.parse(subject.startedAt);
      // Nothing holds an alert back once it is closed. Without the limit, an old alert would read all later checks.
      const untilMs = closedAt(history);
      const since = (sinceMs: number) =>
        monitors.map(({ id, type }): MonitorSpan => ({
          ...{ monitorId: id, type, sinceMs, untilMs },
          isDegraded: event === 'degraded',
        }));
      const failed = (): DependentSpan[] => since(failedSince).map((one) => ({ ...one, recordedMs: recordedAt }));
      // A drill is to reach everybody whom an outage of the monitor alone would reach.
      if (isDrill) return { maintained: [], resumed: [], dependent: [] };
      // An outage that begins during maintenance starts and is recorded at its end, before a check has shown that it lasts.
      const maintainedSince = episode === 1 ? Math.min(failedSince, recordedAt) : recordedAt;
      return {
        maintained: event === 'down' || event === 'degraded' ? since(maintainedSince) : [],
        resumed: resumedAt === null ? [] : since(resumedAt),
        dependent: event === 'down' ? failed() : [],
      };
    });
    const causing = alerts.flatMap(({ history: { event, incidentId } }) =>
      event === 'down' ? (incidentId ?? []) : [],
    );
    const teamIds = [...new Set(alerts.map(({ teamId }) => teamId))];
    const earliest = Math.min(...alerts.map(({ history }) => history.recordedAt));
    // One after the other, because a transaction has one connection.
    const maintenance = await this.context.maintenance(
      tx,
      watched.flatMap(({ maintained }) => maintained),
    );
    const resumptions = await this.context.resumptions(
      tx,
      watched.flatMap(({ resumed }) => resumed),
    );
    const parents = await this.context.parents(
      tx,
      watched.flatMap(({ dependent }) => dependent),
    );
    const caused = await this.context.children(tx, causing, children);
    const told = await this.context.toldOf(
      tx,
      alerts.flatMap(({ history: { condition, end, eventId } }) => (condition !== null && end ? eventId : [])),
    );
    const silences = alerts.length === 0 ? null : await this.context.silences(tx, teamIds, earliest);
    const [nextHolds, nextEnds, nextParents] = [maintenance.values(), resumptions.values(), parents.values()];
    return alerts.map(({ teamId, history, monitors }, index): AlertFacts => {
      const { recordedAt, notBefore, event, isNotice, incidentId } = history;
      const { maintained, resumed, dependent } = watched[index]!;
      return {
        ...keyPartsOf(history),
        event,
        isNotice,
        recordedAt,
        notBefore,
        monitors: monitors.map(({ id, type, tags }) => {
          return {
            ...{ id, type, tags, maintenance: maintained.length > 0 ? nextHolds.next().value! : [] },
            ...(resumed.length > 0 && { resumed: nextEnds.next().value! }),
          };
        }),
        ...(history.monitorIds.length > 0 && monitors.length === 0 && { areMonitorsGone: true }),
        children: (event === 'down' && caused.get(incidentId ?? '')) || [],
        end: history.end,
        knownAt: told.get(history.eventId) ?? [],
        retractedAt: history.retractedAt,
        acknowledgements: history.acknowledgements,
        upSpans: history.upSpans,
        silences: silences!.get(teamId)!.filter(({ to }) => to === null || to > recordedAt),
        parents: dependent.flatMap(() => nextParents.next().value!),
      };
    });
  }

  /** Returns the monitors of alerts, in their order, as they are, or, once they are deleted, as they were `before`. */
  async monitors(
    tx: Tx,
    alerts: readonly (TeamAlert & { before: readonly SeenMonitor[] })[],
  ): Promise<SeenMonitor[][]> {
    const named = alerts.flatMap(({ teamId, history }) =>
      history.monitorIds.map((monitorId) => ({ teamId, monitorId })),
    );
    const now = await this.context.monitors(tx, named);
    return alerts.map(({ history, before }) => {
      const known = new Map(before.map((one) => [one.id, one]));
      return history.monitorIds.flatMap((id) => now.get(id) ?? known.get(id) ?? []);
    });
  }
}

/** Returns what identifies an alert in a plan. */
export function keyPartsOf({ subjectId, episode }: AlertHistory): { incidentId: string; episode: number } {
  return { incidentId: subjectId, episode };
}
