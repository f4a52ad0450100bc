import { Injectable } from '@nestjs/common';
import { Any, LessThan, MoreThan } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { SecretBox } from '../../../database/secret-box.js';
import { managerOf, type Tx } from '../../../database/tx.js';
import { DAY_MS, HOUR_MS } from '../../../domain/durations.js';
import { ErasedAddress } from './erased-address.entity.js';
import { SubscriptionLetter } from './subscription-letter.entity.js';

interface Limit {
  inHour: number;
  inDay: number;
}

/** Letters about subscriptions that an address is sent, whichever pages they are about and whoever causes them. */
const LETTERS: Limit = { inHour: 3, inDay: 10 };
/** Challenges that the owner of an address may cause. */
const CHALLENGES: Limit = { inHour: 10, inDay: 30 };
/** Challenges that a host is sent, whoever causes them. Many people use the same chat or automation service. */
const CHALLENGES_OF_HOST: Limit = { inHour: 30, inDay: 200 };

type PageRef = { teamId: string; statusPageId: string };

/** Knows addresses by their keyed hash only: those that were erased, and how often one was written to. */
@Injectable()
export class SubscriberAddresses {
  constructor(private readonly box: SecretBox) {}

  /**
   * Counts a letter to an address. Returns false if it has been sent too many (3 in an hour, 10 in a day), so that
   * nobody can flood a mailbox.
   */
  async takeLetter(tx: Tx, email: string, nowMs = Date.now()): Promise<boolean> {
    return this.take(tx, this.hashOf(email), LETTERS, nowMs);
  }

  /**
   * Counts a challenge that the owner of an address causes to be sent to a host. Returns false if either had too many (10
   * in an hour and 30 in a day; 30 and 200), so that nobody can make the service attack a host.
   */
  async takeChallenge(tx: Tx, email: string, host: string, nowMs = Date.now()): Promise<boolean> {
    return (
      (await this.take(tx, this.box.hmac('subscriber-challenge', email), CHALLENGES, nowMs)) &&
      (await this.take(tx, this.box.hmac('webhook-host', host), CHALLENGES_OF_HOST, nowMs))
    );
  }

  /** Waits for other transactions that write to an address or subscribe it. */
  async lock(tx: Tx, email: string): Promise<void> {
    await lockHash(tx, this.hashOf(email));
  }

  /** Remembers that an address left a page or was removed, without the address. */
  async erase(tx: Tx, { teamId, statusPageId }: PageRef, email: string): Promise<void> {
    const row = { teamId, statusPageId, addressHash: this.hashOf(email), erasedAt: new Date() };
    await managerOf(tx).upsert(ErasedAddress, row, ['statusPageId', 'addressHash']);
  }

  /** Forgets that an address was erased, because its owner has subscribed again. */
  async forgive(tx: Tx, { statusPageId }: PageRef, email: string): Promise<void> {
    await managerOf(tx).delete(ErasedAddress, { statusPageId, addressHash: this.hashOf(email) });
  }

  /** Returns those of the addresses that left the page or were removed from it. */
  async erased(tx: Tx, { statusPageId }: PageRef, emails: readonly string[]): Promise<ReadonlySet<string>> {
    return this.known(emails, (hashes) =>
      managerOf(tx).findBy(ErasedAddress, { statusPageId, addressHash: Any(hashes) }),
    );
  }

  /**
   * Returns those of the addresses whose hashes `read` finds: with `Any`, because TypeORM takes tens of milliseconds to
   * render a condition with a parameter for each of 10,000 hashes.
   */
  async known(
    emails: readonly string[],
    read: (hashes: Buffer[]) => Promise<{ addressHash: Buffer }[]>,
  ): Promise<ReadonlySet<string>> {
    const hashes = new Map(emails.map((email) => [this.hashOf(email).toString('hex'), email]));
    const rows = emails.length === 0 ? [] : await read([...hashes.keys()].map((hex) => Buffer.from(hex, 'hex')));
    return new Set(rows.map((row) => hashes.get(row.addressHash.toString('hex'))!));
  }

  private async take(tx: Tx, addressHash: Buffer, { inHour, inDay }: Limit, nowMs: number): Promise<boolean> {
    const manager = managerOf(tx);
    // Of concurrent requests, each counts those before it.
    await lockHash(tx, addressHash);
    await manager.delete(SubscriptionLetter, { createdAt: LessThan(new Date(nowMs - DAY_MS)) });
    const since = (ms: number) =>
      manager.countBy(SubscriptionLetter, { addressHash, createdAt: MoreThan(new Date(nowMs - ms)) });
    if ((await since(HOUR_MS)) >= inHour || (await since(DAY_MS)) >= inDay) return false;
    await manager.insert(SubscriptionLetter, { id: uuidv7(), addressHash, createdAt: new Date(nowMs) });
    return true;
  }

  hashOf(email: string): Buffer {
    return this.box.hmac('subscriber-address', email);
  }
}

async function lockHash(tx: Tx, hash: Buffer): Promise<void> {
  await managerOf(tx).query('SELECT pg_advisory_xact_lock($1)', [hash.readInt32BE(0)]);
}
