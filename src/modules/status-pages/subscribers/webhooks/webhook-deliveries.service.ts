import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Delivery } from '../../../../channels/delivery.js';
import { AppConfig } from '../../../../config/app-config.js';
import { SecretBox } from '../../../../database/secret-box.js';
import { managerOf, Transactions } from '../../../../database/tx.js';
import { type PublicationContent } from '../../../../domain/publication.js';
import { EventLog } from '../../../events/event-log.service.js';
import { SubscriberMail } from '../../../mail/subscriber-mail.service.js';
import { PageAddress } from '../../page-address.js';
import { IS_OBSOLETE } from '../publication-queries.js';
import { Quarantine } from '../quarantine.service.js';
import { isAnythingDue } from '../send-rate.js';
import { subscriberEvent } from '../subscriber-events.js';
import { linksOf } from '../subscriber-links.js';
import { Subscriber } from '../subscriber.entity.js';
import { webhookEndedMail } from '../subscription-letters.js';
import { updatePayload } from './webhook-payload.js';
import {
  type Claimed,
  claimWebhooks,
  mailInstead,
  type Outcome,
  PATIENCE,
  RATE,
  settleDelivery,
  settleReport,
} from './webhook-queue.js';
import { WebhookSender } from './webhook-sender.service.js';

/** Requests that one process makes at the same time. A slow receiver holds one for 10 s. */
const MAX_AT_ONCE = 50;
const GONE = 410;

interface DeliveryRow {
  url: string;
  secret: string;
  page_id: string;
  name: string;
  slug: string;
  custom_domain: string | null;
  published: boolean;
  content: PublicationContent;
  components: { id: string; name: string }[];
  is_old: boolean;
  is_obsolete: boolean;
}

/**
 * Posts what was published to the webhooks of subscribers, at least once and in order: each attempt of a publication has
 * the same id. A webhook that fails waits longer and longer, and ends after three days, or at once if its receiver answers
 * 410. What it was still to be sent is mailed.
 */
@Injectable()
export class WebhookDeliveries {
  private readonly logger = new Logger(WebhookDeliveries.name);
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly quarantine: Quarantine,
    private readonly sender: WebhookSender,
    private readonly mail: SubscriberMail,
    private readonly events: EventLog,
    private readonly box: SecretBox,
    private readonly config: AppConfig,
  ) {}

  /**
   * Starts some of the requests that are due, as far as the rate permits, and does not wait for them: slow receivers do not
   * delay others. Returns how many.
   */
  async startSome(): Promise<number> {
    const free = MAX_AT_ONCE - this.running.size;
    if (free <= 0 || !(await isAnythingDue(this.dataSource, RATE))) return 0;
    const perMinute = this.config.get('SUBSCRIBER_WEBHOOKS_PER_MINUTE');
    const claimed = await this.transactions.run((tx) => claimWebhooks(tx, perMinute, free));
    for (const one of claimed) {
      const run = this.serve(one).finally(() => this.running.delete(run));
      this.running.add(run);
    }
    return claimed.length;
  }

  /** Waits for the requests that are under way. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.running);
  }

  private async serve({ webhookId, deliveryId }: Claimed): Promise<void> {
    try {
      if (deliveryId === null) return await this.reportEnd(webhookId);
      const outcome = await this.attempt(deliveryId);
      if (outcome) await this.settle(webhookId, deliveryId, outcome);
    } catch (error) {
      // The lease ends, and the attempt is repeated.
      this.logger.error(`could not send to the webhook ${webhookId}; will retry`, error);
    }
  }

  /** Makes one attempt. Null if the delivery was deleted meanwhile. */
  private async attempt(deliveryId: string): Promise<Outcome | null> {
    const [row]: DeliveryRow[] = await this.transactions.run((tx) => managerOf(tx).query(DELIVERY, [deliveryId]));
    if (!row) return null;
    if (!row.published) return { is: 'dropped', error: 'The page is not published.' };
    if (row.is_obsolete) return { is: 'dropped', error: 'The maintenance is no longer announced.' };
    if (row.is_old) return { is: 'dropped', error: 'The update was not sent within three days.' };
    const address = PageAddress.ofPage(this.config.origin, row.slug, row.custom_domain);
    const payload = updatePayload(row.content, { id: row.page_id, name: row.name, address }, row.components);
    const to = { url: this.box.open(row.url), secret: this.box.open(row.secret) };
    return outcomeOf(await this.sender.send(deliveryId, payload, to));
  }

  private async settle(webhookId: string, deliveryId: string, outcome: Outcome): Promise<void> {
    await this.transactions.run(async (tx) => {
      if (!(await settleDelivery(tx, webhookId, deliveryId, outcome))) return;
      const [subscriber] = await this.subscribersOf(tx, webhookId);
      await this.events.record(tx, [subscriberEvent('subscriber.updated', subscriber!, 'service', 'ended')]);
    });
  }

  /** Mails a subscriber that their webhook has ended, once, and what was still to be posted to it. Nothing if the address is
   * quarantined. */
  private async reportEnd(webhookId: string): Promise<void> {
    const facts = await this.transactions.run(async (tx) => {
      const manager = managerOf(tx);
      const [row]: EndRow[] = await manager.query(END, [webhookId]);
      if (!row) return null;
      await mailInstead(tx, webhookId);
      return { ...row, isQuarantined: (await this.quarantine.statusOf(tx, row.email)) !== null };
    });
    if (!facts) return;
    const { subscriber_id: id, email: to, name: pageName, error: reason, isQuarantined } = facts;
    const links = linksOf(this.box, this.config.origin, id);
    const mail = webhookEndedMail({ to, pageName, links, reason: reason ?? '' });
    const delivery = facts.end_unreported && !isQuarantined ? await this.mail.send(mail) : null;
    const isOver = delivery?.status !== 'failed' || delivery.permanent;
    await this.transactions.run((tx) => settleReport(tx, webhookId, isOver));
  }

  private subscribersOf(tx: Parameters<typeof managerOf>[0], webhookId: string): Promise<Subscriber[]> {
    return managerOf(tx)
      .createQueryBuilder(Subscriber, 's')
      .where('s.id = (SELECT w.subscriber_id FROM subscriber_webhooks w WHERE w.id = :webhookId)', { webhookId })
      .getMany();
  }
}

function outcomeOf(delivery: Delivery): Outcome {
  if (delivery.status === 'sent') return { is: 'sent' };
  const { error, statusCode, retryAfterMs } = delivery;
  return { is: 'failed', error, isGone: statusCode === GONE, retryAfterMs: retryAfterMs ?? 0 };
}

/** Without an earlier failure, it is this service that could not send it, as after an outage or a restore. */
const DELIVERY = `
  SELECT w.url, w.secret, g.id AS page_id, g.name, g.slug, g.custom_domain, g.published, p.content,
    w.failing_since IS NULL AND p.published_at < now() - ${PATIENCE} AS is_old, ${IS_OBSOLETE} AS is_obsolete,
    ARRAY(SELECT jsonb_build_object('id', c.id, 'name', c.name) FROM status_page_components c
      WHERE c.id = ANY(p.component_ids) ORDER BY c.position) AS components
  FROM subscriber_webhook_deliveries d JOIN subscriber_publications p ON p.id = d.publication_id
  JOIN subscriber_webhooks w ON w.id = d.webhook_id JOIN status_pages g ON g.id = p.status_page_id
  WHERE d.id = $1 AND d.status = 'pending' AND w.status = 'active'`;

interface EndRow {
  subscriber_id: string;
  email: string;
  name: string;
  error: string | null;
  end_unreported: boolean;
}

const END = `
  SELECT w.subscriber_id, s.email, g.name, w.error, w.end_unreported
  FROM subscriber_webhooks w JOIN status_page_subscribers s ON s.id = w.subscriber_id
  JOIN status_pages g ON g.id = s.status_page_id WHERE w.id = $1 AND w.status = 'ended' FOR UPDATE OF w`;
