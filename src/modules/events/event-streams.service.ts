import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway, isStatementTimeout } from '../../database/database-fault.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type OpenEventStream } from '../../http/event-stream.js';
import { ProblemException } from '../../http/problems/problem.js';
import { TeamLimits } from '../teams/team-limits.service.js';
import { type EventFiltersDto } from './dto/list-events.dto.js';
import { type EventPosition, isAfter, isNear } from './event-position.js';
import { type EventReader, EventsService } from './events.service.js';

const LOOK_EVERY_MS = 250;
const BEAT_EVERY_MS = 15_000;
/** Maximum number of events that one stream receives in one turn. */
const BATCH = 200;
/** Maximum number of events among which those for one stream are searched in one turn, whatever its filters. */
const RANGE = 5_000;
/** Maximum number of streams of this process. */
const MOST = 1_000;

export interface Subscription {
  reader: EventReader;
  filters: EventFiltersDto;
  /** Where the stream starts. */
  after: EventPosition;
  /** How many events to read for it next; fewer if those of the last turn were so large that they filled it. */
  batch?: number;
  /** Returns the reader as it is now; null once its key is no longer accepted. Called before each look at the log. */
  verify: () => Promise<EventReader | null>;
  stream: Pick<OpenEventStream, 'isFull' | 'write' | 'end'>;
}

/**
 * Sends events to open streams, in the order of the log and without a gap, within about 250 ms after no earlier event
 * can be committed any more, whichever process recorded them.
 */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly logger = new Logger(EventStreams.name);
  private readonly subscriptions = new Set<Subscription>();
  private next: NodeJS.Timeout | null = null;
  private looking = false;
  /** Whether the log is to be looked at again as soon as the current look is over. */
  private isMore = false;
  private stopping = false;
  private beatenAtMs = 0;

  constructor(
    private readonly events: EventsService,
    private readonly limits: TeamLimits,
    private readonly config: AppConfig,
  ) {}

  /** Ends all streams, because a shutdown must not wait until their readers go. */
  onModuleDestroy(): void {
    this.stopping = true;
    if (this.next) clearTimeout(this.next);
    for (const one of this.subscriptions) this.drop(one);
  }

  /** Throws if too many streams are open: 422 for the team, 503 for the process. */
  assertRoom(teamId: TeamId): void {
    const own = [...this.subscriptions].filter(({ reader }) => reader.teamId === teamId).length;
    if (own >= this.config.get('MAX_EVENT_STREAMS_PER_TEAM')) throw this.limits.refusal('MAX_EVENT_STREAMS_PER_TEAM');
    if (!this.stopping && this.subscriptions.size < MOST) return;
    const detail = this.stopping
      ? 'The service is stopping.'
      : 'The service has too many open event streams. Try again later.';
    throw new ProblemException(503, 'unavailable', detail, { headers: { 'Retry-After': '30' } });
  }

  /** Starts a stream. The returned function must be called when its connection is closed. */
  open(subscription: Subscription): () => void {
    this.subscriptions.add(subscription);
    this.resume();
    return () => void this.subscriptions.delete(subscription);
  }

  /** Looks at the log at once. Must be called when a stream has room again. */
  resume(): void {
    this.isMore = true;
    this.lookIn(0);
  }

  private lookIn(ms: number): void {
    if (this.stopping || this.looking) return;
    if (this.next) clearTimeout(this.next);
    this.next = setTimeout(() => void this.look(), ms);
    this.next.unref();
  }

  private async look(): Promise<void> {
    this.looking = true;
    this.isMore = false;
    try {
      await this.verifyAll();
      const end = await this.events.end();
      for (const one of this.subscriptions) if (await this.advanceOrDrop(one, end)) this.isMore = true;
      this.beat();
    } catch (error) {
      // The database is unavailable: the streams continue from where they are when it is back.
      this.logger.debug('could not read events for open streams', error);
    } finally {
      this.looking = false;
      if (this.subscriptions.size > 0) this.lookIn(this.isMore ? 0 : LOOK_EVERY_MS);
    }
  }

  /** Like `advance`. Ends a stream that cannot be continued, so that the others are. */
  private async advanceOrDrop(one: Subscription, end: EventPosition): Promise<boolean> {
    try {
      return await this.advance(one, end);
    } catch (error) {
      if (isDatabaseAway(error) && !isStatementTimeout(error)) throw error;
      this.logger.error('could not read events for an open stream, which ends', error);
      this.drop(one);
      return false;
    }
  }

  /** Sends a stream what follows, as far as it has room. Returns whether there may be more that it has room for. */
  private async advance(one: Subscription, end: EventPosition): Promise<boolean> {
    if (!isAfter(end, one.after) || one.stream.isFull()) return false;
    // A reader that resumes may be a year behind.
    const upTo = isNear(one.after, end) ? null : await this.events.ahead(one.reader, one.after, RANGE);
    const batch = one.batch ?? BATCH;
    const found = await this.events.following(one.reader, one.filters, one.after, upTo, batch);
    for (const [index, { event, position }] of found.entries()) {
      if (!this.subscriptions.has(one)) return false;
      one.after = position;
      one.stream.write(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`);
      if (!one.stream.isFull()) continue;
      one.batch = index + 1;
      return false;
    }
    one.batch = Math.min(2 * batch, BATCH);
    if (found.length === batch) return true;
    // Nothing before that can follow any more, so the next turn does not have to read it again.
    const read = upTo ?? end;
    if (isAfter(read, one.after)) one.after = read;
    return upTo !== null;
  }

  private async verifyAll(): Promise<void> {
    await Promise.all([...this.subscriptions].map((one) => this.verify(one)));
  }

  private async verify(one: Subscription): Promise<void> {
    const reader = await one.verify();
    if (reader) one.reader = reader;
    else this.drop(one);
  }

  private beat(): void {
    const nowMs = performance.now();
    if (nowMs - this.beatenAtMs < BEAT_EVERY_MS) return;
    this.beatenAtMs = nowMs;
    // A comment, which readers do not see.
    for (const { stream } of this.subscriptions) if (!stream.isFull()) stream.write(':\n\n');
  }

  private drop(one: Subscription): void {
    this.subscriptions.delete(one);
    one.stream.end();
  }
}
