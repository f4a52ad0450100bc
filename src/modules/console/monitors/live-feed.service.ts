import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { type ProblemCode } from '../../../http/problems/problem-codes.js';
import { ProblemException } from '../../../http/problems/problem.js';
import {
  MonitorChangesService,
  type Watched,
  type WatchedTeam,
} from '../../monitors/definition/monitor-changes.service.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { TeamLimits } from '../../teams/team-limits.service.js';
import { type EventStream, type Interest, LiveListener } from './live-listener.js';
import { LiveUpdates } from './live-updates.service.js';

const LOOK_EVERY_MS = 1_000;
const BEAT_EVERY_MS = 15_000;
/** A browser has no more connections to one origin, and its pages close theirs while nobody sees them. */
const MAX_OF_A_SESSION = 6;
const MOST = 1_000;

/**
 * Tells open pages what changes of the monitors that they show, at most about a second later, whichever process wrote it:
 * one look at the database a second for all pages of this process together. A page is told nothing any more once its
 * session is over, or looks at another team.
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

  /** A stop must not wait for pages that nobody closes. */
  onModuleDestroy(): void {
    this.stopping = true;
    if (this.next) clearTimeout(this.next);
    for (const listener of this.listeners) this.drop(listener);
  }

  /**
   * Throws where there are too many open pages already: 429 for those of the session, 422 for those of the team, 503 for
   * all. Where there is room for none but others have more than this team, the one of theirs that is open longest ends:
   * its browser asks again.
   */
  assertRoom(sessionId: string, teamId: TeamId): void {
    if (this.stopping) throw noRoom(503, 'unavailable', 'No further page can be kept up to date now.');
    const listeners = [...this.listeners];
    const own = listeners.filter(({ interest }) => interest.teamId === teamId);
    if (own.filter(({ interest }) => interest.sessionId === sessionId).length >= MAX_OF_A_SESSION) {
      throw noRoom(429, 'rate_limited', 'Other pages of this session are kept up to date already.');
    }
    if (own.length >= this.config.get('MAX_LIVE_PAGES_PER_TEAM')) throw this.limits.refusal('MAX_LIVE_PAGES_PER_TEAM');
    if (listeners.length < MOST) return;
    const most = largestTeam(listeners);
    if (most.length <= own.length + 1) throw noRoom(503, 'unavailable', 'No further page can be kept up to date now.');
    this.drop(most[0]!);
  }

  /** Tells a page of what it watches, first how that stands now. The returned function is for when the page is closed. */
  follow(interest: Interest, stream: EventStream): () => void {
    const listener = new LiveListener(interest, stream);
    this.listeners.add(listener);
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
      // The database is away: pages stay as they are, and learn the rest when it is back.
      this.logger.debug('open pages could not be told what has changed', error);
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
    const turns = listeners.map((listener) => ({
      listener,
      ...listener.changesIn(marks.get(listener.interest.teamId) ?? new Map()),
    }));
    const changed = turns.flatMap(({ listener: { interest }, changed }) =>
      changed.map((id) => ({ id, teamId: interest.teamId, withEvidence: interest.evidence })),
    );
    const updates = await this.updates.ofMonitors(changed, nowMs);
    for (const { listener, changed, gone } of turns) {
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
    const nowMs = performance.now();
    if (nowMs - this.beatenAtMs < BEAT_EVERY_MS) return;
    this.beatenAtMs = nowMs;
    for (const listener of this.listeners) listener.beat();
  }

  private drop(listener: LiveListener): void {
    this.listeners.delete(listener);
    listener.end();
  }
}

function noRoom(status: 429 | 503, code: ProblemCode, detail: string): ProblemException {
  return new ProblemException(status, code, detail, { headers: { 'Retry-After': '30' } });
}

/** The pages of the team that has most of them, the longest open first. */
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

/** Each team once, from the earliest moment that a page of it asks for. */
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
