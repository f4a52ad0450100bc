import { Injectable } from '@nestjs/common';
import { Any, In, IsNull, LessThan, Not } from 'typeorm';
import { managerOf, Transactions, type Tx } from '../../../database/tx.js';
import {
  afterReport,
  FORGOTTEN_AFTER_MS,
  type MailReport,
  NOTHING_KNOWN,
  type QuarantineState,
  type QuarantineStatus,
} from '../../../domain/mail-quarantine.js';
import { EventLog } from '../../events/event-log.service.js';
import { QuarantinedAddress } from './quarantined-address.entity.js';
import { SubscriberAddresses } from './subscriber-addresses.service.js';
import { subscriberEvent } from './subscriber-events.js';
import { SubscriberDelivery } from './subscriber-delivery.entity.js';
import { Subscriber } from './subscriber.entity.js';

/** Webhooks about one address that are recognised when they are repeated. */
const MAX_MESSAGE_IDS = 10;

/** Keeps subscribers whose mail bounced, or who reported it as spam, from being sent more. */
@Injectable()
export class Quarantine {
  constructor(
    private readonly addresses: SubscriberAddresses,
    private readonly transactions: Transactions,
    private readonly events: EventLog,
  ) {}

  /**
   * Takes everything that a message reports about an address in lower case. Once it is quarantined, its subscribers on all
   * pages are marked, and what they were to be sent is dropped. A message that was taken before changes nothing.
   */
  async take(email: string, reports: readonly MailReport[], messageId: string, nowMs = Date.now()): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.addresses.lock(tx, email);
      const addressHash = this.addresses.hashOf(email);
      const stored = await managerOf(tx).findOneBy(QuarantinedAddress, { addressHash });
      if (stored?.messageIds.includes(messageId)) return;
      const before = stored ? stateOf(stored) : NOTHING_KNOWN;
      const { countedAtMs, ...after } = reports.reduce((state, report) => afterReport(state, report, nowMs), before);
      await managerOf(tx).save(QuarantinedAddress, {
        ...after,
        addressHash,
        countedAt: countedAtMs === null ? null : new Date(countedAtMs),
        messageIds: [messageId, ...(stored?.messageIds ?? [])].slice(0, MAX_MESSAGE_IDS),
        updatedAt: new Date(nowMs),
      });
      if (after.status !== null) await this.stop(tx, email, after.status, after.reason);
    });
  }

  /** Returns why an address is sent nothing; null if it may be sent mail. */
  async statusOf(tx: Tx, email: string): Promise<QuarantineStatus | null> {
    const addressHash = this.addresses.hashOf(email);
    return (await managerOf(tx).findOneBy(QuarantinedAddress, { addressHash }))?.status ?? null;
  }

  /** Returns those of the addresses that are sent nothing. */
  async among(tx: Tx, emails: readonly string[]): Promise<ReadonlySet<string>> {
    return this.addresses.known(emails, (addressHash) =>
      managerOf(tx).findBy(QuarantinedAddress, { addressHash: Any(addressHash), status: Not(IsNull()) }),
    );
  }

  /** Lets an address that bounced be sent mail again. Has no effect on a complaint. */
  async lift(tx: Tx, email: string): Promise<void> {
    const bounced = { addressHash: this.addresses.hashOf(email), status: 'bounced' as const };
    const nothing = { status: null, reason: null, transientBounces: 0, countedAt: null, updatedAt: new Date() };
    await managerOf(tx).update(QuarantinedAddress, bounced, nothing);
  }

  /** Forgets addresses that are not quarantined, once nothing was reported about them for a month. */
  async deleteOld(nowMs = Date.now()): Promise<void> {
    const updatedAt = LessThan(new Date(nowMs - FORGOTTEN_AFTER_MS));
    await this.transactions.run((tx) => managerOf(tx).delete(QuarantinedAddress, { status: IsNull(), updatedAt }));
  }

  private async stop(tx: Tx, email: string, status: QuarantineStatus, statusReason: string | null): Promise<void> {
    const manager = managerOf(tx);
    const subscribers = await manager.find(Subscriber, {
      where: { email, status: Not(status) },
      lock: { mode: 'pessimistic_write' },
    });
    const ids = subscribers.map(({ id }) => id);
    await manager.update(Subscriber, { id: In(ids) }, { status, statusReason, dueAt: null, failures: 0 });
    const pending = { subscriberId: In(ids), status: 'pending' as const };
    await manager.update(SubscriberDelivery, pending, { status: 'failed', error: DROPPED[status] });
    await manager.query(
      `UPDATE subscriber_webhook_deliveries d SET status = 'failed', error = $2 FROM subscriber_webhooks w
       WHERE w.id = d.webhook_id AND w.subscriber_id = ANY($1::uuid[]) AND d.status = 'pending'`,
      [ids, DROPPED[status]],
    );
    await this.events.record(
      tx,
      subscribers.map((one) => subscriberEvent(`subscriber.${status}`, one, 'mail_provider')),
    );
  }
}

const DROPPED: Readonly<Record<QuarantineStatus, string>> = {
  bounced: 'An email to this address bounced.',
  complained: 'The recipient reported an email as spam.',
};

function stateOf({ status, reason, transientBounces, countedAt }: QuarantinedAddress): QuarantineState {
  return { status, reason, transientBounces, countedAtMs: countedAt?.getTime() ?? null };
}
