import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { type EventStream } from '../../../http/event-stream.js';
import { type ProblemCode } from '../../../http/problems/problem-codes.js';
import { ProblemException } from '../../../http/problems/problem.js';
import {
  MonitorChangesService,
  type Watched,
  type WatchedTeam,
} from '../../monitors/definition/monitor-changes.service.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { TeamLimits } from '../../teams/team-limits.service.js';
import { type Interest, LiveListener } from './live-listener.js';
import { LiveUpdates } from './live-updates.service.js';

const LOOK_EVERY_MS = 1_000;
const BEAT_EVERY_MS = 15_000;
/** A browser opens no more connections to one origin, and its pages close theirs while they are hidden. */
const MAX_OF_A_SESSION = 6;
/** Maximum number of open pages of this process. */
const MOST = 1_000;

/**
 * Sends open pages the changes of the monitors that they show, within about a second, whichever process wrote them. The
 * database is polled once per second for all pages of this process together. A page receives nothing more once its
 * session has ended or has switched to another team.
 */
@Injectable()
export class LiveFeed implements OnModuleDestroy {
  private readonly logger = new Logger(LiveFeed.name);
  private readonly listeners = new Set<LiveListener>();
  private next: NodeJS.Timeout | null = null;
  private looking = false;
  private stopping = false;
  private beatenAtMs = 0;

  constructor(
    private readonly changes: MonitorChangesService,
    private readonly sessions: SessionsService,
    private readonly updates: LiveUpdates,
    private readonly limits: TeamLimits,
    private readonly config: AppConfig,
  ) {}

  /** Ends all streams, because a shutdown must not wait until people close their pages. */
  onModuleDestroy(): void {
    this.stopping = true;
    if (this.next) clearTimeout(this.next);
    for (const listener of this.listeners) this.drop(listener);
  }

  /**
   * Throws if too many pages are open: 429 if it is the session that has too many, 422 for the team, 503 for the
   * process. Instead of the latter, ends the oldest stream of the team with the most pages if that team has at least
   * two more than this one; its browser reconnects.
   */
  assertRoom(sessionId: string, teamId: TeamId): void {
    if (this.stopping) throw noRoom(503, 'unavailable', 'The service is shutting down. Try again in a moment.');
    const listeners = [...this.listeners];
    const own = listeners.filter(({ interest }) => interest.teamId === teamId);
    if (own.filter(({ interest }) => interest.sessionId === sessionId).length >= MAX_OF_A_SESSION) {
      throw noRoom(429, 'rate_limited', 'Too many pages with live updates are open in this session. Close one.');
    }
    if (own.length >= this.config.get('MAX_LIVE_PAGES_PER_TEAM')) throw this.limits.refusal('MAX_LIVE_PAGES_PER_TEAM');
    if (listeners.length < MOST) return;
    const most = largestTeam(listeners);
    if (most.length <= own.length + 1)
      throw noRoom(503, 'unavailable', 'Too many pages with live updates are open. Try again later.');
    this.drop(most[0]!);
  }

  /**
   * Sends a page the changes that it watches, starting with the current state. The returned function must be called
   * when the page is closed.
   */
  follow(interest: Interest, stream: EventStream): () => void {
    const listener = new LiveListener(interest, stream);
    this.listeners.add(listener);
    listener.beat(Date.now());
    this.lookIn(0);
    return () => void this.listeners.delete(listener);
  }

  private lookIn(ms: number): void {
    if (this.stopping || this.looking) return;
    if (this.next) clearTimeout(this.next);
    this.next = setTimeout(() => void this.look(), ms);
    this.next.unref();
  }

  private async look(): Promise<void> {
    this.looking = true;
    const startedAt = performance.now();
    try {
      await this.dropEnded();
      await this.tell([...this.listeners]);
      this.beat();
    } catch (error) {
      // The database is unavailable: pages stay as they are, and receive the changes when it is back.
      this.logger.debug('could not send changes to open pages', error);
    } finally {
      this.looking = false;
      if (this.listeners.size > 0) this.lookIn(Math.max(0, LOOK_EVERY_MS - (performance.now() - startedAt)));
    }
  }

  private async dropEnded(): Promise<void> {
    const listeners = [...this.listeners];
    const going = await this.sessions.going([...new Set(listeners.map(({ interest }) => interest.sessionId))]);
    for (const listener of listeners) {
      const { sessionId, teamId } = listener.interest;
      if (going.get(sessionId) !== teamId) this.drop(listener);
    }
  }

  private async tell(listeners: readonly LiveListener[]): Promise<void> {
    const nowMs = Date.now();
    const [marks, created, counts] = await Promise.all([
      this.changes.marks(distinctMonitors(listeners)),
      this.changes.created(teamsOf(listeners)),
      this.updates.countsOf(teamsThatCount(listeners)),
    ]);
    const turns = listeners.map((listener) => {
      const current = marks.get(listener.interest.teamId) ?? new Map<string, string>();
      return { listener, current, ...listener.changesIn(current) };
    });
    const changed = turns.flatMap(({ listener: { interest }, changed }) =>
      changed.map((id) => ({ id, teamId: interest.teamId, withEvidence: interest.evidence })),
    );
    // If this fails, the next look finds the same changes.
    const updates = await this.updates.ofMonitors(changed, nowMs);
    for (const { listener, current, changed, gone } of turns) {
      listener.markSent(current);
      const { teamId, evidence } = listener.interest;
      for (const one of changed.flatMap((id) => updates.get(id) ?? [])) {
        listener.send('monitor', one.update);
        if (evidence && one.evidence) listener.send('evidence', one.evidence);
      }
      for (const id of gone) listener.send('gone', { id });
      const count = listener.newAmong(created.get(teamId) ?? [], nowMs);
      if (count > 0) listener.send('created', { count });
      const counted = listener.interest.counts && counts.get(teamId);
      if (counted) listener.sendCounts(counted);
    }
  }

  private beat(): void {
    const atMs = performance.now();
    if (atMs - this.beatenAtMs < BEAT_EVERY_MS) return;
    this.beatenAtMs = atMs;
    for (const listener of this.listeners) listener.beat(Date.now());
  }

  private drop(listener: LiveListener): void {
    this.listeners.delete(listener);
    listener.end();
  }
}

function noRoom(status: 429 | 503, code: ProblemCode, detail: string): ProblemException {
  return new ProblemException(status, code, detail, { headers: { 'Retry-After': '30' } });
}

/** Returns the pages of the team with the most open pages, oldest first. */
function largestTeam(listeners: readonly LiveListener[]): LiveListener[] {
  const teams = new Map<TeamId, LiveListener[]>();
  for (const listener of listeners) {
    const { teamId } = listener.interest;
    const own = teams.get(teamId);
    if (own) own.push(listener);
    else teams.set(teamId, [listener]);
  }
  return [...teams.values()].reduce((most, one) => (one.length > most.length ? one : most));
}

function distinctMonitors(listeners: readonly LiveListener[]): Watched[] {
  const watched = listeners.flatMap(({ interest: { teamId, ids } }) => ids.map((id) => ({ teamId, id })));
  return [...new Map(watched.map((one) => [`${one.teamId}/${one.id}`, one])).values()];
}

/** Returns each team once, with the earliest moment that one of its pages requests. */
function teamsOf(listeners: readonly LiveListener[]): WatchedTeam[] {
  const since = new Map<TeamId, number>();
  for (const { interest, sinceMs } of listeners) {
    if (sinceMs === null) continue;
    since.set(interest.teamId, Math.min(sinceMs, since.get(interest.teamId) ?? Infinity));
  }
  return [...since].map(([teamId, sinceMs]) => ({ teamId, sinceMs }));
}

function teamsThatCount(listeners: readonly LiveListener[]): TeamId[] {
  return [...new Set(listeners.flatMap(({ interest }) => (interest.counts ? [interest.teamId] : [])))];
}
