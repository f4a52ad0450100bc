import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { IsNull, LessThan, MoreThan, Not, Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { InjectRepository } from '@nestjs/typeorm';
import { AppConfig } from '../../../config/app-config.js';
import { SecretBox } from '../../../database/secret-box.js';
import { managerOf, Transactions, type Tx } from '../../../database/tx.js';
import { DAY_MS, HOUR_MS } from '../../../domain/durations.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { validateBody } from '../../../http/body/validation.js';
import { ProblemException } from '../../../http/problems/problem.js';
import { FailureThrottle } from '../../../http/throttle/failure-throttle.js';
import { EventLog } from '../../events/event-log.service.js';
import { SubscriberMail } from '../../mail/subscriber-mail.service.js';
import { TeamLimits } from '../../teams/team-limits.service.js';
import { type StoredPage } from '../status-page.mapper.js';
import { StatusPagesService } from '../status-pages.service.js';
import { backoffMinutes } from './backoff.js';
import { SubscribeDto } from './dto/subscribe.dto.js';
import { Quarantine } from './quarantine.service.js';
import { SubscriberAddresses } from './subscriber-addresses.service.js';
import { subscriberEvent } from './subscriber-events.js';
import { linksOf, subscriberOfToken } from './subscriber-links.js';
import { SubscriberOutcomes } from './subscriber-outcomes.service.js';
import { Subscriber } from './subscriber.entity.js';
import { type OpenedWebhook, SubscriberWebhooks } from './webhooks/subscriber-webhooks.service.js';
import { alreadySubscribedMail, confirmationMail } from './subscription-letters.js';

/** Requests to subscribe that an address of a client may make. */
const LIMITS = { failures: 10, windowMs: 15 * 60_000, addresses: 10_000 };
/** Addresses that visitors of a page may enter in an hour without confirming them. */
const MAX_UNCONFIRMED = 1_000;
/** How long a link confirms. */
export const CONFIRMATION_MS = 2 * DAY_MS;

/** A subscriber and their page, as a link leads to them. */
export interface Subscription extends StoredPage {
  subscriber: Subscriber;
  webhook: OpenedWebhook | null;
}

/** What a visitor enters. `webhook` is empty for updates by email. */
export interface SubscriptionRequest {
  email: string;
  webhook: string;
}

/** Lets visitors of status pages subscribe, confirm, choose components and leave. */
@Injectable()
export class Subscriptions implements OnModuleDestroy {
  private readonly logger = new Logger(Subscriptions.name);
  private readonly throttle = new FailureThrottle(LIMITS);
  private readonly running = new Set<Promise<void>>();

  constructor(
    @InjectRepository(Subscriber) private readonly subscribers: Repository<Subscriber>,
    private readonly pages: StatusPagesService,
    private readonly addresses: SubscriberAddresses,
    private readonly quarantine: Quarantine,
    private readonly outcomes: SubscriberOutcomes,
    private readonly webhooks: SubscriberWebhooks,
    private readonly transactions: Transactions,
    private readonly limits: TeamLimits,
    private readonly events: EventLog,
    private readonly mail: SubscriberMail,
    private readonly box: SecretBox,
    private readonly config: AppConfig,
  ) {}

  /** Waits for the letters that are being mailed. */
  async onModuleDestroy(): Promise<void> {
    await Promise.allSettled(this.running);
  }

  /**
   * Mails a link to confirm a subscription. Returns at once and looks the address up afterwards, so that neither the
   * answer nor its time discloses whether it is subscribed.
   *
   * @param client the address of the client
   * @throws 422 by `/email` or `/webhook` for what is not an address, and 429 after 10 requests of a client in 15 minutes
   */
  request(page: StoredPage['page'], entered: SubscriptionRequest, client: string): void {
    const { email } = validateBody(SubscribeDto, { email: entered.email.trim() });
    const webhook = this.webhooks.entered(entered.webhook);
    const waitMs = this.throttle.take(client, Date.now());
    if (waitMs > 0) throw tooMany(waitMs);
    const run = this.invite(page, email.toLowerCase(), webhook)
      .catch((error: unknown) => this.logger.error('could not mail a link to confirm a subscription', error))
      .finally(() => this.running.delete(run));
    this.running.add(run);
  }

  /** Returns the subscriber whose link contains a token; null if it is unknown, expired, or they have left. */
  async find(token: string, nowMs = Date.now()): Promise<Subscription | null> {
    const id = subscriberOfToken(this.box, token);
    const subscriber = id !== null && isUuid(id) ? await this.subscribers.findOneBy({ id }) : null;
    if (!subscriber || hasExpired(subscriber, nowMs)) return null;
    const stored = await this.pages.stored(subscriber.teamId as TeamId, subscriber.statusPageId);
    return { ...stored, subscriber, webhook: (await this.webhooks.of([subscriber.id])).get(subscriber.id) ?? null };
  }

  /**
   * Confirms a subscription, or changes its components. Does nothing for a subscriber who has left meanwhile. Never lifts
   * a quarantine. @throws 422 `limit_reached`
   */
  async choose({ subscriber: { id } }: Subscription, componentIds: string[] | null): Promise<void> {
    await this.transactions.run(async (tx) => {
      const manager = managerOf(tx);
      const stored = await manager.findOne(Subscriber, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!stored) return;
      const isQuarantined = (await this.quarantine.statusOf(tx, stored.email)) !== null;
      const isNew = stored.status !== 'active' && !isQuarantined;
      if (isNew && stored.confirmedAt === null) await this.assertRoom(tx, stored.teamId as TeamId);
      const active = { status: 'active', statusReason: null, confirmedAt: stored.confirmedAt ?? new Date() } as const;
      const changed: Subscriber = { ...stored, componentIds, ...(isNew && active) };
      if (!isNew && JSON.stringify(stored.componentIds) === JSON.stringify(componentIds)) return;
      const { status, statusReason, confirmedAt } = changed;
      // A link to confirm that waits to be mailed is no longer needed.
      const settled = isNew && { dueAt: null, failures: 0 };
      await manager.update(Subscriber, { id }, { componentIds, status, statusReason, confirmedAt, ...settled });
      await this.addresses.forgive(tx, stored, stored.email);
      const type = isNew ? 'subscriber.created' : 'subscriber.updated';
      await this.events.record(tx, [subscriberEvent(type, changed, 'subscriber')]);
    });
  }

  /** Removes a subscriber who leaves, and erases their address. */
  async leave({ subscriber: { id } }: Subscription): Promise<void> {
    await this.transactions.run(async (tx) => {
      const stored = await managerOf(tx).findOne(Subscriber, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!stored) return;
      await managerOf(tx).delete(Subscriber, { id });
      // Whoever never confirmed has not refused anything: they may not even know that somebody entered their address.
      if (stored.confirmedAt === null) return;
      await this.addresses.erase(tx, stored, stored.email);
      await this.events.record(tx, [subscriberEvent('subscriber.deleted', stored, 'subscriber')]);
    });
  }

  /**
   * Mails a subscriber a link to confirm, or to their choices if they have. Never rejects because of the mail. If the mail
   * server does not accept a link to confirm for the time being, further attempts follow until the link expires.
   */
  async mailConfirmation({ name: pageName }: StoredPage['page'], subscriber: Subscriber): Promise<void> {
    const { id, email: to, status, failures } = subscriber;
    const facts = { to, pageName, links: linksOf(this.box, this.config.origin, id) };
    const startMs = performance.now();
    const delivery = await this.mail.send(status === 'active' ? alreadySubscribedMail(facts) : confirmationMail(facts));
    const latencyMs = performance.now() - startMs;
    const isLate = status === 'pending' && delivery.status === 'failed' && !delivery.permanent;
    if (isLate || failures > 0) await this.setDue(id, isLate ? failures + 1 : 0);
    if (isLate) return;
    this.outcomes.report([{ type: 'subscription', status: delivery.status, latencyMs }]);
    if (delivery.status === 'failed') this.logger.warn(`could not mail a link to confirm the subscription ${id}`);
  }

  /** Makes another attempt to mail a link to confirm, unless it has expired or is no longer needed. */
  async mailAgain(id: string): Promise<void> {
    try {
      const subscriber = await this.subscribers.findOneBy({ id, status: 'pending' });
      if (!subscriber) return;
      if (hasExpired(subscriber, Date.now())) return await this.setDue(id, 0);
      const { page } = await this.pages.stored(subscriber.teamId as TeamId, subscriber.statusPageId);
      await this.mailConfirmation(page, subscriber);
    } catch (error) {
      // The claim ends, and the attempt is repeated.
      this.logger.error(`could not mail a link to confirm the subscription ${id}; will retry`, error);
    }
  }

  /**
   * Asserts that a team may have this many more subscribers who have confirmed. Those who have not do not count: anybody
   * can enter addresses. @throws 422 `limit_reached`
   */
  async assertRoom(tx: Tx, teamId: TeamId, count = 1): Promise<void> {
    const confirmed = { teamId, confirmedAt: Not(IsNull()) };
    await this.limits.assertRoom(tx, teamId, 'MAX_SUBSCRIBERS_PER_TEAM', Subscriber, confirmed, count);
  }

  /** Deletes what was not confirmed in time. */
  async deleteExpired(nowMs = Date.now()): Promise<void> {
    const createdAt = LessThan(new Date(nowMs - CONFIRMATION_MS));
    await this.subscribers.delete({ confirmedAt: IsNull(), createdAt });
  }

  /** Records how many attempts to mail a link to confirm have failed, and when the next one is due; never after none. */
  private async setDue(id: string, failures: number): Promise<void> {
    await this.subscribers.query(
      `UPDATE status_page_subscribers SET failures = $2, due_at = now() + $3 * interval '1 minute'
       WHERE id = $1 AND status = 'pending'`,
      [id, failures, failures === 0 ? null : backoffMinutes(failures - 1)],
    );
  }

  /** Does nothing for an address that was written to too often, or is quarantined, and for new ones of a crowded page. */
  private async invite(page: StoredPage['page'], email: string, webhook: string | null): Promise<void> {
    const subscriber = await this.transactions.run((tx) => this.invited(tx, page, email, webhook));
    if (subscriber) await this.mailConfirmation(page, subscriber);
  }

  private async invited(
    tx: Tx,
    page: StoredPage['page'],
    email: string,
    webhook: string | null,
  ): Promise<Subscriber | null> {
    const { id, teamId } = page;
    const manager = managerOf(tx);
    await this.pages.hold(tx, page);
    const address = { statusPageId: id, email };
    const isStored = await manager.existsBy(Subscriber, address);
    if (!isStored && (await isCrowded(tx, id))) return null;
    if (!(await this.addresses.takeLetter(tx, email)) || (await this.quarantine.statusOf(tx, email))) return null;
    if (!isStored) await this.assertRoom(tx, teamId as TeamId);
    // Sent again, the link is valid for two days from now.
    await manager.query(
      `INSERT INTO status_page_subscribers (id, team_id, status_page_id, email, status) VALUES ($1, $2, $3, $4, 'pending')
       ON CONFLICT (status_page_id, email) DO UPDATE SET created_at = now()
       WHERE status_page_subscribers.status = 'pending'`,
      [uuidv7(), teamId, id, email],
    );
    const subscriber = await manager.findOneByOrFail(Subscriber, address);
    // Anybody can enter an address that is subscribed already: only the link in a mail leads to what belongs to it.
    if (subscriber.status === 'pending') await this.webhooks.store(tx, subscriber.id, webhook);
    return subscriber;
  }
}

/** Returns whether too many addresses were entered on a page within an hour that nobody has confirmed. */
async function isCrowded(tx: Tx, statusPageId: string): Promise<boolean> {
  const createdAt = MoreThan(new Date(Date.now() - HOUR_MS));
  const unconfirmed = { statusPageId, confirmedAt: IsNull(), createdAt };
  return (await managerOf(tx).countBy(Subscriber, unconfirmed)) >= MAX_UNCONFIRMED;
}

function hasExpired({ confirmedAt, createdAt }: Subscriber, nowMs: number): boolean {
  return confirmedAt === null && createdAt.getTime() < nowMs - CONFIRMATION_MS;
}

function tooMany(waitMs: number): ProblemException {
  return new ProblemException(429, 'rate_limited', 'Too many requests from this address. Try again later.', {
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1_000)) },
  });
}
