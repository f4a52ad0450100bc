import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { newSecret } from '../../../../channels/webhook/signature.js';
import { AppConfig } from '../../../../config/app-config.js';
import { SecretBox } from '../../../../database/secret-box.js';
import { managerOf, Transactions, type Tx } from '../../../../database/tx.js';
import { validationFailed } from '../../../../http/problems/problem.js';
import { FailureThrottle } from '../../../../http/throttle/failure-throttle.js';
import { EventLog } from '../../../events/event-log.service.js';
import { PageAddress } from '../../page-address.js';
import { type StatusPage } from '../../status-page.entity.js';
import { SubscriberAddresses } from '../subscriber-addresses.service.js';
import { subscriberEvent } from '../subscriber-events.js';
import { Subscriber } from '../subscriber.entity.js';
import { SubscriberWebhook } from './subscriber-webhook.entity.js';
import { hostOf } from './webhook-address.js';
import { mailInstead, setDue } from './webhook-queue.js';
import { WebhookSender } from './webhook-sender.service.js';

/** Challenges that an address of a client may cause. */
const LIMITS = { failures: 10, windowMs: 15 * 60_000, addresses: 10_000 };
const TOO_OFTEN = 'Too many attempts. Try again in an hour.';

/** A webhook with what is sealed in the database. */
export type OpenedWebhook = Pick<SubscriberWebhook, 'id' | 'url' | 'secret' | 'status' | 'error'>;

/** The webhooks of subscribers: which address, whether it wants to be posted to, and how it ends. */
@Injectable()
export class SubscriberWebhooks {
  private readonly throttle = new FailureThrottle(LIMITS);

  constructor(
    @InjectRepository(SubscriberWebhook) private readonly webhooks: Repository<SubscriberWebhook>,
    private readonly sender: WebhookSender,
    private readonly addresses: SubscriberAddresses,
    private readonly transactions: Transactions,
    private readonly events: EventLog,
    private readonly box: SecretBox,
    private readonly config: AppConfig,
  ) {}

  /** Returns the address that somebody entered; null if they entered none. @throws 422 by `/webhook` */
  entered(text: string): string | null {
    const url = text.trim();
    if (url === '') return null;
    const detail = this.faultOf(url);
    if (detail === null) return url;
    throw validationFailed([{ pointer: '/webhook', code: 'invalid_value', detail }]);
  }

  /** Returns what is wrong with the address that somebody entered, as a sentence; null if it is right or empty. */
  faultOf(text: string): string | null {
    const problem = text.trim() === '' ? null : this.sender.problemOf(text.trim());
    return problem === null ? null : `The webhook URL ${problem}.`;
  }

  /** Returns the webhooks of subscribers that have one, by the id of the subscriber. */
  async of(subscriberIds: readonly string[], tx?: Tx): Promise<ReadonlyMap<string, OpenedWebhook>> {
    const webhooks = tx ? managerOf(tx).getRepository(SubscriberWebhook) : this.webhooks;
    const rows = await webhooks.findBy({ subscriberId: In([...subscriberIds]) });
    return new Map(rows.map((row) => [row.subscriberId, this.opened(row)]));
  }

  /**
   * Stores the address of a webhook, or that there is none. Another one it had ends; what is still to be posted to it is
   * mailed. Sends nothing.
   */
  async store(tx: Tx, subscriberId: string, url: string | null): Promise<void> {
    const manager = managerOf(tx);
    const lock = { mode: 'pessimistic_write' } as const;
    const stored = await manager.findOne(SubscriberWebhook, { where: { subscriberId }, lock });
    if (stored) {
      await mailInstead(tx, stored.id);
      await manager.delete(SubscriberWebhook, { id: stored.id });
    }
    if (url === null) return;
    const [sealed, secret] = [this.box.seal(url), this.box.seal(newSecret())];
    await manager.insert(SubscriberWebhook, { id: uuidv7(), subscriberId, url: sealed, secret, status: 'unanswered' });
  }

  /** Stores another address, or that there is none, and asks it at once whether it wants to be posted to. */
  async replace(page: StatusPage, subscriber: Subscriber, url: string | null, client: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      // Of two requests, the later one replaces the address of the earlier one. Somebody who has left has none.
      const lock = { mode: 'pessimistic_write' } as const;
      const isThere = await managerOf(tx).findOne(Subscriber, { where: { id: subscriber.id }, lock });
      if (isThere) await this.store(tx, subscriber.id, url);
    });
    await this.challenge(page, subscriber, client);
  }

  /** Ends the webhook of a subscriber, who is mailed from then on. */
  async remove(subscriber: Subscriber): Promise<void> {
    await this.transactions.run(async (tx) => {
      const had = await managerOf(tx).findOneBy(SubscriberWebhook, { subscriberId: subscriber.id });
      if (!had) return;
      await this.store(tx, subscriber.id, null);
      await this.events.record(tx, [subscriberEvent('subscriber.updated', subscriber, 'subscriber', 'removed')]);
    });
  }

  /**
   * Asks the address of a webhook that is not active whether it wants to be posted to, and stores the outcome. Takes 10 s at
   * most. Sends nothing if there were too many challenges of the client (10 in 15 minutes), the subscriber or the host.
   *
   * @param client the address of the client
   */
  async challenge(page: StatusPage, subscriber: Subscriber, client: string): Promise<void> {
    const row = await this.webhooks.findOneBy({ subscriberId: subscriber.id });
    if (!row || row.status === 'active') return;
    const { id, url, secret } = this.opened(row);
    const isAllowed =
      this.throttle.take(client, Date.now()) === 0 &&
      (await this.transactions.run((tx) => this.addresses.takeChallenge(tx, subscriber.email, hostOf(url))));
    if (!isAllowed) return void (await this.webhooks.update({ id }, { error: TOO_OFTEN }));
    const address = PageAddress.ofPage(this.config.origin, page.slug, page.customDomain);
    const delivery = await this.sender.challenge({ id: page.id, name: page.name, address }, { url, secret });
    if (delivery.status === 'failed') return void (await this.webhooks.update({ id }, { error: delivery.error }));
    await this.transactions.run((tx) => this.activate(tx, id, subscriber));
  }

  private async activate(tx: Tx, id: string, subscriber: Subscriber): Promise<void> {
    const { affected } = await managerOf(tx)
      .createQueryBuilder()
      .update(SubscriberWebhook)
      .set({ status: 'active', error: null, failures: 0, failingSince: null, endUnreported: false })
      .where("id = :id AND status <> 'active'", { id })
      .execute();
    // Somebody was faster, or the address has been replaced meanwhile.
    if (affected === 0) return;
    await setDue(tx, id);
    await this.events.record(tx, [subscriberEvent('subscriber.updated', subscriber, 'subscriber', 'active')]);
  }

  private opened({ id, url, secret, status, error }: SubscriberWebhook): OpenedWebhook {
    return { id, url: this.box.open(url), secret: this.box.open(secret), status, error };
  }
}
