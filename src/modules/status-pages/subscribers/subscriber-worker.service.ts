import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AppConfig } from '../../../config/app-config.js';
import { isDatabaseAway } from '../../../database/database-fault.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { Publications } from './publications.service.js';
import { Quarantine } from './quarantine.service.js';
import { SubscriberMails } from './subscriber-mails.service.js';
import { Subscriptions } from './subscriptions.service.js';
import { WebhookDeliveries } from './webhooks/webhook-deliveries.service.js';

const LOOK_MS = 1_000;
const ANNOUNCE_MS = 5_000;

/**
 * Plans and sends updates to subscribers in the background, in every process with the role `notifier`. It runs beside
 * the worker of alerts, and plans, mails and posts independently, so that none waits for another.
 */
@Injectable()
export class SubscriberWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SubscriberWorker.name);
  private planning: Promise<void> | null = null;
  private mailing: Promise<void> | null = null;
  private posting: Promise<void> | null = null;
  private isRunning = false;
  private announcedAt = 0;

  constructor(
    private readonly publications: Publications,
    private readonly mails: SubscriberMails,
    private readonly webhooks: WebhookDeliveries,
    private readonly subscriptions: Subscriptions,
    private readonly quarantine: Quarantine,
    private readonly config: AppConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.isRunning = this.config.has('notifier');
  }

  /** Waits for what is being sent. */
  async onModuleDestroy(): Promise<void> {
    this.isRunning = false;
    await Promise.all([this.planning, this.mailing, this.posting]);
    await this.webhooks.settled();
  }

  /** Plans, mails and posts what is due, each unless it already does. */
  @Interval(LOOK_MS)
  look(): void {
    if (!this.isRunning) return;
    this.planning ??= this.guarded('plan updates to subscribers', () => this.plan()).finally(
      () => (this.planning = null),
    );
    // As long as the mail server is slow, there is always more to send.
    this.mailing ??= this.guarded('mail subscribers', () => this.sendMails()).finally(() => (this.mailing = null));
    this.posting ??= this.guarded('send to the webhooks of subscribers', () => this.post()).finally(
      () => (this.posting = null),
    );
  }

  /** Deletes what is no longer needed. What is left is deleted next time, here or in another process. */
  @Interval(HOUR_MS)
  async deleteOld(): Promise<void> {
    await this.guarded('delete old subscriptions', async () => {
      await this.subscriptions.deleteExpired();
      await this.publications.deleteOld();
      await this.quarantine.deleteOld();
    });
  }

  private async plan(): Promise<void> {
    while (this.isRunning && (await this.publications.publishNext()));
    if (performance.now() - this.announcedAt < ANNOUNCE_MS) return;
    await this.publications.announceDetected();
    this.announcedAt = performance.now();
  }

  private async sendMails(): Promise<void> {
    while (this.isRunning && (await this.mails.sendSome()) > 0);
  }

  private async post(): Promise<void> {
    while (this.isRunning && (await this.webhooks.startSome()) > 0);
  }

  private async guarded(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error(`could not ${what}; will retry`, error);
    }
  }
}
