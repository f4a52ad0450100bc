import { MINUTE_MS, SECOND_MS } from '../../src/domain/durations.js';
import { matchIncidents } from '../../src/domain/incident-match.js';
import {
  closedAt,
  type NotificationFacts,
  type RecordedNotification,
} from '../../src/domain/notification-plan/facts.js';
import { lookAgainWithin } from '../../src/domain/notification-plan/look-again.js';
import { type PlannedNotification } from '../../src/domain/notification-plan/planned.js';
import { type PolicyRule } from '../../src/domain/notification-plan/policy.js';
import { holdsUntil, type StatePolicy } from '../../src/domain/monitor-state.js';
import { downRuns, mergeLocations } from '../../src/domain/state-timeline.js';
import {
  type AlertHistory,
  alertsOfIncident,
  type LoggedEvent,
} from '../../src/modules/notifications/alert-history.js';
import { type CheckResult } from '../../src/modules/checker/check-queue.js';
import { type AlertScript, CHANNELS, type ChannelName } from './alert-script.js';
import { type Interval } from './intervals.js';
import { type Simulation } from './simulation.js';

/** An attempt to send a message. Times are those of the slot clock. */
export interface SentMessage {
  alertKey: string;
  key: string;
  kind: PlannedNotification['kind'];
  step: number;
  channel: ChannelName;
  replacesTrigger: boolean;
  at: number;
  isDelivered: boolean;
}

/** A recorded check that failed. Times are those of the slot clock. */
interface Failure {
  checkedAt: number;
  recordedAt: number;
}

interface StoredIncident {
  id: string;
  startedAt: number;
  resolvedAt: number | null;
}

/** How the alert of an incident is planned and sent. */
interface Ledger {
  recorded: Map<string, RecordedNotification>;
  /** Planning again at a later moment replaces an earlier appointment. */
  turn: number;
}

const POLICY_ID = 'policy';

/**
 * Opens incidents and sends their alerts as the services around the rules do, but in memory: reconciles incidents after
 * each change of the history, logs events, plans after each of them and whenever time asks for it, and sends.
 */
export class AlertSide {
  readonly events: LoggedEvent[] = [];
  readonly messages: SentMessage[] = [];
  readonly failures: Failure[] = [];
  private readonly incidents: StoredIncident[] = [];
  private readonly ledgers = new Map<string, Ledger>();
  private readonly blockedUntil = new Map<ChannelName, number>();
  private readonly failingSince = new Map<ChannelName, number>();
  private changes = -1;
  private isDown = false;

  constructor(
    private readonly simulation: Simulation,
    private readonly policy: StatePolicy,
    readonly alerting: AlertScript,
  ) {
    const { events, script } = simulation;
    for (const { from, to } of script.maintenance) {
      for (const at of [from, to]) simulation.atSlot(at, () => this.reconcile());
    }
    for (const { from } of alerting.silences) events.add(from, () => this.planOpen());
  }

  /** Returns the times that the clock skipped, in which nothing could be sent. */
  get skipped(): readonly Interval[] {
    return this.simulation.skipped;
  }

  /** Takes note of recorded results. */
  recorded(results: readonly CheckResult[]): void {
    const recordedAt = this.now();
    for (const { status, checkedAt } of results) if (status === 'down') this.failures.push({ checkedAt, recordedAt });
    const changes = [...this.simulation.places.values()].reduce((sum, { record }) => sum + record.changes, 0);
    if (changes === this.changes) return;
    this.changes = changes;
    this.reconcile();
  }

  /** Logs that the monitor was paused or resumed. */
  note(type: 'monitor.paused' | 'monitor.resumed'): void {
    this.log(type, this.simulation.plan.monitorId, {});
    this.planOpen();
  }

  /** Returns the alerts of all incidents, with the times at which they were recorded. */
  alerts(): AlertHistory[] {
    const ids = [...new Set(this.events.filter(({ type }) => type === 'incident.opened').map((one) => one.resourceId))];
    return ids.flatMap((id) => alertsOfIncident(id, this.eventsOf(id)));
  }

  private now(): number {
    return Math.floor(this.simulation.slotNow());
  }

  private reconcile(): void {
    const { simulation, policy } = this;
    const now = this.now();
    const locations = [...simulation.places.values()].map(({ record }) => ({
      transitions: [...record.transitions].sort((a, b) => a.at - b.at || a.confirmedAt - b.confirmedAt),
      gaps: record.gaps,
      absences: simulation.absences,
      tail: holdsUntil(record.state, policy, simulation.plan.intervalMs),
    }));
    const runs = downRuns(mergeLocations(locations, simulation.script.quorum, now));
    const isDown = runs.at(-1)?.to === null;
    if (isDown !== this.isDown) this.log(isDown ? 'monitor.down' : 'monitor.up', simulation.plan.monitorId, {});
    this.isDown = isDown;
    const told = simulation.detector.incidentsOf(runs, simulation.script.maintenance, now);
    const { kept, opened, withdrawn } = matchIncidents(this.incidents, told);
    // Planned once all is logged, because a planner sees the events of a transaction at once.
    const changed = new Set<string>();
    const note = (type: string, incident: StoredIncident): void => {
      this.logIncident(type, incident);
      changed.add(incident.id);
    };
    for (const one of withdrawn) {
      this.incidents.splice(this.incidents.indexOf(one), 1);
      if (one.startedAt !== one.resolvedAt) note('incident.retracted', one);
    }
    for (const { stored, computed } of kept) {
      const [wasOpen, isOpen] = [stored.resolvedAt === null, computed.resolvedAt === null];
      const isSame = stored.startedAt === computed.startedAt && stored.resolvedAt === computed.resolvedAt;
      Object.assign(stored, { startedAt: computed.startedAt, resolvedAt: computed.resolvedAt });
      if (wasOpen && !isOpen) note('incident.resolved', stored);
      else if (!wasOpen && isOpen) note('incident.reopened', stored);
      else if (!isSame) note('incident.updated', stored);
    }
    for (const { startedAt, resolvedAt } of opened) {
      const incident = { id: `incident-${this.events.length}`, startedAt, resolvedAt };
      this.incidents.push(incident);
      this.incidents.sort((a, b) => a.startedAt - b.startedAt);
      note('incident.opened', incident);
      if (resolvedAt !== null) note('incident.resolved', incident);
    }
    const settlesAt = told.at(-1)?.settlesAt ?? null;
    if (settlesAt !== null) simulation.atSlot(settlesAt, () => this.reconcile());
    this.planOpen(changed);
  }

  private logIncident(type: string, { id, startedAt, resolvedAt }: StoredIncident): void {
    const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
    const monitorIds = [this.simulation.plan.monitorId];
    const data = {
      kind: 'detected',
      impact: 'down',
      monitorIds,
      startedAt: iso(startedAt),
      resolvedAt: iso(resolvedAt),
    };
    this.log(type, id, data);
    if (!this.ledgers.has(id)) this.ledgers.set(id, { recorded: new Map(), turn: 0 });
  }

  private log(type: string, resourceId: string, data: Record<string, unknown>): void {
    const id = String(this.events.length);
    this.events.push({ id, type, recordedAt: this.now(), actorName: null, resourceId, resourceName: null, data });
  }

  /** Plans the alerts of incidents that are open, even if a pause has closed the alert, or that have changed. */
  private planOpen(changed: ReadonlySet<string> = new Set()): void {
    const open = this.incidents.filter(({ resolvedAt }) => resolvedAt === null).map(({ id }) => id);
    for (const id of new Set([...open, ...changed])) this.plan(id);
  }

  private alertsOf(id: string): AlertHistory[] {
    return this.simulation.detector.alertsOf(id, this.eventsOf(id));
  }

  private eventsOf(id: string): LoggedEvent[] {
    const from = this.events.findIndex(({ resourceId }) => resourceId === id);
    const { monitorId } = this.simulation.plan;
    return this.events.slice(from).filter(({ resourceId }) => resourceId === id || resourceId === monitorId);
  }

  /** Plans and sends the alerts of an incident, and makes an appointment for the next time. */
  private plan(id: string): void {
    const ledger = this.ledgers.get(id)!;
    const turn = (ledger.turn += 1);
    let next = Infinity;
    for (const history of this.alertsOf(id)) next = Math.min(next, this.planAlert(history, ledger));
    if (ledger.turn === turn && next !== Infinity) {
      this.simulation.atSlot(next, () => {
        if (ledger.turn === turn) this.plan(id);
      });
    }
  }

  /** Returns when the alert must be planned again. */
  private planAlert(history: AlertHistory, ledger: Ledger): number {
    const alertKey = `${history.subjectId}/${history.episode}`;
    for (;;) {
      const now = this.now();
      const { notifications, lookAgainAt } = this.simulation.detector.plan(
        this.factsOf(history, alertKey, ledger),
        [this.rule()],
        now,
      );
      const pending = notifications.filter(({ status }) => status === 'pending');
      const due = pending.find(
        ({ channelId }) => now >= (this.blockedUntil.get(channelId as ChannelName) ?? -Infinity),
      );
      if (due) {
        this.send(alertKey, due, ledger);
        continue;
      }
      const retries = pending.map(({ channelId }) => this.blockedUntil.get(channelId as ChannelName)!);
      const again = closedAt(history) === null ? now + lookAgainWithin(notifications) : Infinity;
      return Math.min(again, lookAgainAt ?? Infinity, ...retries);
    }
  }

  private send(alertKey: string, planned: PlannedNotification, ledger: Ledger): void {
    const { key, kind, policyId, step, repeat, replacesTrigger } = planned;
    const channel = planned.channelId as ChannelName;
    const at = this.now();
    const before = ledger.recorded.get(`${alertKey} ${key}`)?.attempts ?? [];
    const isFailing = this.alerting.failing[channel].some(({ from, to }) => from <= at && at < to);
    const { outcomeOf, retryMs } = this.simulation.detector;
    const outcome = outcomeOf(isFailing ? 'failed' : 'sent');
    const attempt = { at, outcome };
    const address = { kind, policyId, step, repeat, channelId: channel, dueAt: planned.dueAt };
    const entry = { ...address, attempts: [...before, attempt], settled: outcome === 'sent', channelFailedAt: null };
    ledger.recorded.set(`${alertKey} ${key}`, entry);
    if (outcome === 'failed') {
      this.blockedUntil.set(channel, at + retryMs);
      if (!this.failingSince.has(channel)) this.failingSince.set(channel, at);
    } else {
      this.failingSince.delete(channel);
      if (kind === 'trigger') this.mayAcknowledge(alertKey);
    }
    this.messages.push({ alertKey, key, kind, step, channel, replacesTrigger, at, isDelivered: !isFailing });
  }

  /** Somebody who got a message may acknowledge the incident some minutes later. */
  private mayAcknowledge(alertKey: string): void {
    const { share, seconds } = this.alerting.acknowledged;
    const { simulation } = this;
    const { dice } = simulation;
    if (!dice.chance(share)) return;
    const id = alertKey.split('/')[0]!;
    simulation.atSlot(this.now() + MINUTE_MS + dice.below(20 * MINUTE_MS), () => {
      const last = this.alertsOf(id).at(-1);
      if (!last || closedAt(last) !== null) return;
      const until = seconds === 0 ? null : new Date(this.now() + seconds * SECOND_MS).toISOString();
      this.log('incident.acknowledged', id, { acknowledgedUntil: until });
      this.plan(id);
    });
  }

  private factsOf(history: AlertHistory, alertKey: string, { recorded }: Ledger): NotificationFacts {
    const { simulation, alerting } = this;
    const now = this.now();
    const { monitorId: id, type } = simulation.plan;
    const { recordedAt, resumedAt, event, episode, end, retractedAt, acknowledgements, upSpans, subject } = history;
    const since = episode === 1 ? Math.min(Date.parse(subject.startedAt!), recordedAt) : recordedAt;
    const hold = ({ from, to }: Interval) => ({ from, to, failsAgainAt: this.firstFailure(to) });
    const maintenance = simulation.script.maintenance.filter(({ from, to }) => to >= since && from <= now).map(hold);
    const resumed = resumedAt !== null && { resumed: hold({ from: resumedAt, to: resumedAt }) };
    const begun = alerting.silences.filter(({ from }) => from <= now);
    return {
      alert: {
        ...{ incidentId: history.subjectId, episode, event, recordedAt, end, retractedAt, acknowledgements, upSpans },
        monitors: [{ id, type, tags: [], maintenance, ...resumed }],
        children: [],
        silences: begun.filter(({ to }) => to > recordedAt).map((span) => ({ match: { all: true }, ...span })),
        parents: [],
      },
      channels: CHANNELS.map((name) => ({
        id: name,
        enabled: true,
        failingSince: this.failingSince.get(name) ?? null,
      })),
      recorded: [...recorded].flatMap(([key, one]) => (key.startsWith(`${alertKey} `) ? one : [])),
    };
  }

  /** Returns when the first check that failed and is recorded began, of those from a moment on. */
  private firstFailure(sinceMs: number): number | null {
    const first = this.failures.reduce(
      (found, { checkedAt }) => (checkedAt >= sinceMs ? Math.min(found, checkedAt) : found),
      Infinity,
    );
    return first === Infinity ? null : first;
  }

  private rule(): PolicyRule {
    const { steps, repeatEverySeconds, quietHours } = this.alerting;
    return {
      ...{ id: POLICY_ID, enabled: true, activeSince: 0, match: { all: true }, on: ['down'] },
      ...{ steps, repeatEverySeconds, quietHours },
    };
  }
}
