import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { type Delivery } from '../../channels/delivery.js';
import { AppConfig } from '../../config/app-config.js';
import { areDue } from '../../database/are-due.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { SlotClockService } from '../checker/slot-clock.service.js';
import { ChannelSendingService } from '../notification-channels/channel-sending.service.js';
import { AttemptsService } from './attempts.service.js';
import {
  ChannelClaimsService,
  CLAIM_MS,
  type ClaimedChannel,
  type NextChannel,
  SENDING_DUE,
} from './channel-claims.service.js';
import { NotificationWakeups } from './notification-wakeups.service.js';
import { PLANNING_DUE, PlannerService } from './planner.service.js';

const LOOK_MS = 1_000;
/** Channels that this process sends through at the same time. While one waits for a receiver, it uses no connection. */
const MAX_CHANNELS = 32;
/** How many of them may be failing, because each occupies its turn until the deadline of the receiver. */
const MAX_FAILING = MAX_CHANNELS / 2;
/** A sender that has not returned by then never will. */
const STUCK_MS = 30_000;
/** How long a shutdown waits for attempts. What is not over by then is repeated, with the same id. */
const STOP_MS = 2_000;
const LOOKING = 'looking for due notifications failed; will retry';
const PLANNING = 'planning notifications failed; will retry';
const SENDING = 'sending notifications failed; will retry';

/**
 * Plans and sends notifications in the background, in every process. New events wake it at once; otherwise it looks for
 * work every second. A fault of it never affects checks or their results. It follows the clock of the checks, because the
 * steps of an outage count from when a check confirmed it.
 */
@Injectable()
export class NotificationWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(NotificationWorker.name);
  /** The turns that are not over, with the channels that they serve. */
  private readonly turns = new Map<Promise<void>, NextChannel>();
  private looking: Promise<void> | null = null;
  private planning: Promise<void> | null = null;
  private claiming: Promise<void> | null = null;
  private plannedAt = performance.now();
  private claimedAt = performance.now();
  private isPlanRequested = false;
  private isSendRequested = false;
  private isStarted = false;
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly planner: PlannerService,
    private readonly attempts: AttemptsService,
    private readonly claims: ChannelClaimsService,
    private readonly sender: ChannelSendingService,
    private readonly wakeups: NotificationWakeups,
    private readonly clock: SlotClockService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Milliseconds since it last looked for work of both kinds: about a second at most in normal operation, and 0 in a
   * process that does not send notifications.
   */
  get lookedAgoMs(): number {
    return this.isStarted ? performance.now() - Math.min(this.plannedAt, this.claimedAt) : 0;
  }

  onApplicationBootstrap(): void {
    this.isStarted = this.config.has('notifier');
    this.look();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    const left = Promise.all([this.looking, this.planning, this.claiming, ...this.turns.keys()]);
    await Promise.race([left, delay(STOP_MS, undefined, { ref: false })]);
    await this.wakeups.stop();
  }

  @Interval(LOOK_MS)
  look(): void {
    if (!this.isStarted || this.isStopped) return;
    void this.wakeups.ensure(() => this.plan());
    this.looking ??= this.lookForWork().finally(() => (this.looking = null));
  }

  private async lookForWork(): Promise<void> {
    try {
      const conditions = [PLANNING_DUE, SENDING_DUE];
      const [isPlanningDue, isSendingDue] = await areDue(this.dataSource, conditions, this.clock.now());
      if (isPlanningDue) this.plan();
      else this.plannedAt = performance.now();
      if (isSendingDue) this.send();
      else this.claimedAt = performance.now();
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error(LOOKING, error);
    }
  }

  /** Plans soon. Requests during a pass lead to one more pass, because that may have missed what they are about. */
  private plan(): void {
    this.isPlanRequested = true;
    if (this.isStopped) return;
    this.planning ??= this.planAll().finally(() => {
      this.planning = null;
      if (this.isPlanRequested) this.plan();
    });
  }

  /** Sends what is due, soon. */
  send(): void {
    this.isSendRequested = true;
    if (this.isStopped) return;
    this.claiming ??= this.claimAll().finally(() => {
      this.claiming = null;
      // A turn that ends asks again.
      if (this.isSendRequested && this.turns.size < MAX_CHANNELS) this.send();
    });
  }

  private async planAll(): Promise<void> {
    try {
      while (this.isPlanRequested && !this.isStopped) {
        this.isPlanRequested = false;
        for (const pass of ['planEvents', 'planTimers'] as const) {
          const { isMore, isDue } = await this.planner[pass](this.clock.now());
          if (isDue) this.send();
          if (isMore) this.isPlanRequested = true;
        }
        this.plannedAt = performance.now();
      }
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error(PLANNING, error);
    }
  }

  private async claimAll(): Promise<void> {
    try {
      while (this.isSendRequested && !this.isStopped && this.turns.size < MAX_CHANNELS) {
        this.isSendRequested = false;
        const failing = [...this.turns.values()].filter(({ isFailing }) => isFailing).length;
        const channel = await this.claims.next(this.clock.now(), failing < MAX_FAILING);
        if (!channel) continue;
        this.isSendRequested = true;
        const turn = this.serve(channel).finally(() => {
          this.turns.delete(turn);
          this.send();
        });
        this.turns.set(turn, channel);
      }
      this.claimedAt = performance.now();
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error(SENDING, error);
    }
  }

  /** Sends what is due on a claimed channel, in turns, until an attempt fails. Never rejects. */
  private async serve(channel: ClaimedChannel): Promise<void> {
    try {
      while (!this.isStopped) {
        const claimedAt = performance.now();
        const attempts = await this.attempts.start(channel, this.clock.now());
        if (attempts === null) break;
        if (attempts === 'again') continue;
        const send = await this.sender.open(channel.teamId, channel.channelId);
        // Suspended in the meantime: another process may already have sent this.
        if (performance.now() - claimedAt > CLAIM_MS) break;
        const deliveries = await Promise.all(
          attempts.messages.map(({ facts }) => this.deliver(channel, () => send(facts))),
        );
        await this.attempts.finish(channel, attempts, deliveries, this.clock.now());
        // An attempt may have made the next step due, which another channel sends.
        this.send();
        this.plan();
        if (deliveries.some(({ status }) => status === 'failed')) break;
      }
      await this.claims.release(channel);
    } catch (error) {
      // The claim expires on its own, so that a fault that persists is not repeated without a pause.
      if (!isDatabaseAway(error)) this.logger.error(SENDING, error);
    }
  }

  private async deliver({ channelId }: ClaimedChannel, send: () => Promise<Delivery>): Promise<Delivery> {
    const isOver = new AbortController();
    const stuck = delay(STUCK_MS, STUCK, { signal: isOver.signal, ref: false }).catch(() => STUCK);
    try {
      return await Promise.race([send(), stuck]);
    } catch (error) {
      this.logger.error(`could not send through the channel ${channelId}; will retry`, error);
      return FAULT;
    } finally {
      isOver.abort();
    }
  }
}

const FAULT: Delivery = {
  status: 'failed',
  permanent: false,
  retryAfterMs: null,
  statusCode: null,
  error: 'The message could not be sent because of a fault of the service.',
};
const STUCK: Delivery = { ...FAULT, error: 'The message was not sent within the time limit.' };
