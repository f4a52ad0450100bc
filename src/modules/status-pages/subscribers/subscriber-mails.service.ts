import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Delivery } from '../../../channels/delivery.js';
import { AppConfig } from '../../../config/app-config.js';
import { SecretBox } from '../../../database/secret-box.js';
import { afterCommit, managerOf, Transactions, type Tx } from '../../../database/tx.js';
import { type PublicationContent } from '../../../domain/publication.js';
import { SubscriberMail } from '../../mail/subscriber-mail.service.js';
import { PageAddress } from '../page-address.js';
import { backoffMinutes } from './backoff.js';
import { BETWEEN_MAILS, IS_OBSOLETE } from './publication-queries.js';
import { Quarantine } from './quarantine.service.js';
import { isAnythingDue, type Rate, roomWithin } from './send-rate.js';
import { linksOf } from './subscriber-links.js';
import { type SubscriberOutcome, SubscriberOutcomes } from './subscriber-outcomes.service.js';
import { updatesMail } from './subscriber-mail.view.js';
import { Subscriptions } from './subscriptions.service.js';

/** Mails that one process sends at the same time. */
const MAX_AT_ONCE = 20;
/** Longer than an attempt takes. After a crash, another process makes the next attempt after this long. */
const LEASE = "interval '60 seconds'";
/** Publications in one mail. Further ones follow in the next. */
const MAX_IN_MAIL = 50;
/** What could not be sent by then is given up: it is old news, also after an outage or a restore. */
const GIVEN_UP = "interval '24 hours'";
const RATE: Rate = { lock: 7_310_522, table: 'status_page_subscribers', queue: 'status_page_subscribers' };

/** A subscriber whose mail this process sends. */
interface Claimed {
  id: string;
  mailId: string;
}

/** As `Claimed`; the mail is null if it is the link to confirm, which could not be mailed when it was asked for. */
interface Due {
  id: string;
  mailId: string | null;
}

interface MailRow {
  email: string;
  name: string;
  slug: string;
  custom_domain: string | null;
  timezone: string;
  content: PublicationContent;
  components: string[];
}

/**
 * Sends subscribers what was published, at least once: a mail is fixed before its first attempt, and a repeated attempt
 * sends the same mail with the same Message-ID. A subscriber is sent at most one mail in five minutes.
 */
@Injectable()
export class SubscriberMails {
  private readonly logger = new Logger(SubscriberMails.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly quarantine: Quarantine,
    private readonly outcomes: SubscriberOutcomes,
    private readonly subscriptions: Subscriptions,
    private readonly mail: SubscriberMail,
    private readonly box: SecretBox,
    private readonly config: AppConfig,
  ) {}

  /** Sends some of the mails that are due, as far as the rate permits. Returns how many. */
  async sendSome(): Promise<number> {
    if (!this.mail.canSend || !(await isAnythingDue(this.dataSource, RATE))) return 0;
    const claimed = await this.transactions.run((tx) => this.claim(tx));
    await Promise.all(
      claimed.map(({ id, mailId }) =>
        mailId === null ? this.subscriptions.mailAgain(id) : this.sendOne({ id, mailId }),
      ),
    );
    return claimed.length;
  }

  /** Claims subscribers whose mail is due, and fixes what it contains. */
  private async claim(tx: Tx): Promise<Due[]> {
    const manager = managerOf(tx);
    const room = await roomWithin(tx, RATE, this.config.get('SUBSCRIBER_MAILS_PER_MINUTE'), MAX_AT_ONCE);
    if (room === 0) return [];
    const [rows]: [{ id: string; status: string }[], number] = await manager.query(
      `UPDATE status_page_subscribers SET due_at = now() + ${LEASE}, last_attempt_at = now() WHERE id IN (
         SELECT id FROM status_page_subscribers WHERE due_at <= now() ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id, status`,
      [room],
    );
    const claimed: Due[] = [];
    for (const { id, status } of rows)
      claimed.push({ id, mailId: status === 'pending' ? null : await fixMail(tx, id) });
    return claimed;
  }

  private async sendOne(claimed: Claimed): Promise<void> {
    try {
      const delivery = await this.attempt(claimed);
      await this.transactions.run(async (tx) => {
        const outcomes = await settle(tx, claimed, delivery);
        afterCommit(tx, () => this.outcomes.report(outcomes));
      });
    } catch (error) {
      // The lease ends, and the attempt is repeated.
      this.logger.error(`could not send the mail ${claimed.mailId} to the subscriber ${claimed.id}; will retry`, error);
    }
  }

  /** Makes one attempt. Null if there is nothing to send any more. */
  private async attempt({ id, mailId }: Claimed): Promise<Delivery | null> {
    const rows = await this.transactions.run(async (tx): Promise<MailRow[]> => {
      const [expired]: [SettledRow[], number] = await managerOf(tx).query(EXPIRE, [id, mailId]);
      afterCommit(tx, () => this.outcomes.report(expired.map(({ type }) => ({ type, status: 'failed' }))));
      await managerOf(tx).query(DROP_OBSOLETE, [id, mailId]);
      const mail: MailRow[] = await managerOf(tx).query(MAIL, [id, mailId]);
      // Also what was queued while the address was being quarantined.
      const isQuarantined = mail[0] && (await this.quarantine.statusOf(tx, mail[0].email)) !== null;
      return isQuarantined ? [] : mail;
    });
    const [first] = rows;
    if (!first) return null;
    const { email, name, slug, custom_domain: domain, timezone } = first;
    const { origin } = this.config;
    const address = PageAddress.ofPage(origin, slug, domain);
    return this.mail.send(
      updatesMail({
        to: email,
        mailId,
        page: { name, timezone, address },
        publications: rows,
        links: linksOf(this.box, origin, id),
      }),
    );
  }
}

/** Chooses what the next mail contains, unless an earlier attempt has. Returns the id of the mail. */
async function fixMail(tx: Tx, subscriberId: string): Promise<string> {
  const [fixed]: { mail_id: string }[] = await managerOf(tx).query(
    `SELECT mail_id FROM subscriber_deliveries WHERE subscriber_id = $1 AND status = 'pending' AND mail_id IS NOT NULL LIMIT 1`,
    [subscriberId],
  );
  if (fixed) return fixed.mail_id;
  const mailId = uuidv7();
  await managerOf(tx).query(
    `UPDATE subscriber_deliveries SET mail_id = $2 WHERE (subscriber_id, publication_id) IN (
       SELECT d.subscriber_id, d.publication_id FROM subscriber_deliveries d
       JOIN subscriber_publications p ON p.id = d.publication_id
       WHERE d.subscriber_id = $1 AND d.status = 'pending' ORDER BY p.published_at, p.id LIMIT ${MAX_IN_MAIL})`,
    [subscriberId, mailId],
  );
  return mailId;
}

interface SettledRow {
  type: PublicationContent['kind'];
  /** By the clock of the database, as the time of the publication. */
  latency_ms: number;
}

const SETTLED = `p.content ->> 'kind' AS type, extract(epoch FROM now() - p.published_at)::float8 * 1000 AS latency_ms`;

const EXPIRE = `
  UPDATE subscriber_deliveries d SET status = 'failed', error = coalesce(d.error, 'not sent within 24 hours')
  FROM subscriber_publications p
  WHERE p.id = d.publication_id AND d.subscriber_id = $1 AND d.mail_id = $2 AND d.status = 'pending'
    AND p.published_at < now() - ${GIVEN_UP}
  RETURNING ${SETTLED}`;

const DROP_OBSOLETE = `
  UPDATE subscriber_deliveries d SET status = 'failed', error = 'The maintenance is no longer announced.'
  FROM subscriber_publications p
  WHERE p.id = d.publication_id AND d.subscriber_id = $1 AND d.mail_id = $2 AND d.status = 'pending' AND ${IS_OBSOLETE}`;

/** What a mail contains. The page may have been unpublished meanwhile: then nothing about it is sent. */
const MAIL = `
  SELECT s.email, g.name, g.slug, g.custom_domain, g.timezone, p.content, ARRAY(
    SELECT c.name FROM status_page_components c WHERE c.id = ANY(p.component_ids) ORDER BY c.position) AS components
  FROM subscriber_deliveries d JOIN subscriber_publications p ON p.id = d.publication_id
  JOIN status_page_subscribers s ON s.id = d.subscriber_id JOIN status_pages g ON g.id = s.status_page_id
  WHERE d.subscriber_id = $1 AND d.mail_id = $2 AND d.status = 'pending' AND g.published
  ORDER BY p.published_at, p.id`;

/** Records the outcome of an attempt, and when the next one is due. Returns what was sent, and what was refused for good. */
async function settle(tx: Tx, { id, mailId }: Claimed, delivery: Delivery | null): Promise<SubscriberOutcome[]> {
  const manager = managerOf(tx);
  // Whoever publishes something now waits, and then sees whether a mail is due.
  const [held]: { failures: number }[] = await manager.query(
    'SELECT failures FROM status_page_subscribers WHERE id = $1 FOR UPDATE',
    [id],
  );
  if (!held) return [];
  const isTemporary = delivery?.status === 'failed' && !delivery.permanent;
  const [status, error] = isTemporary
    ? ['pending', delivery.error]
    : delivery?.status === 'sent'
      ? ['sent', null]
      : ['failed', delivery?.error ?? 'The page is not published, or the address is quarantined.'];
  const [settled]: [SettledRow[], number] = await manager.query(
    `UPDATE subscriber_deliveries d SET status = $3, error = $4, sent_at = CASE WHEN $3 = 'sent' THEN now() END
     FROM subscriber_publications p
     WHERE p.id = d.publication_id AND d.subscriber_id = $1 AND d.mail_id = $2 AND d.status = 'pending'
     RETURNING ${SETTLED}`,
    [id, mailId, status, error],
  );
  await manager.query(
    `UPDATE status_page_subscribers s SET failures = $2, due_at = CASE
       WHEN NOT EXISTS (SELECT FROM subscriber_deliveries d WHERE d.subscriber_id = s.id AND d.status = 'pending') THEN NULL
       WHEN $3 THEN now() + $4 * interval '1 minute'
       ELSE s.last_attempt_at + ${BETWEEN_MAILS} END
     WHERE id = $1`,
    [id, isTemporary ? held.failures + 1 : 0, isTemporary, backoffMinutes(held.failures)],
  );
  if (delivery === null || isTemporary) return [];
  return settled.map(({ type, latency_ms: latencyMs }) =>
    delivery.status === 'sent' ? { type, status: 'sent', latencyMs } : { type, status: 'failed' },
  );
}
