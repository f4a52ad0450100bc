import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Transactions, type Tx } from '../../database/tx.js';
import { isUniqueViolation } from '../../database/unique-violation.js';
import { type JsonObject } from '../body/json.js';
import { readObject } from '../body/validation.js';
import { notFound, ProblemException } from '../problems/problem.js';
import { type IfMatch } from './if-match.decorator.js';
import { itemAddress } from './item-address.js';
import { withItemKey } from './item-key.js';

/** A type of resource whose items may have a key chosen by the caller, unique in the team. */
export interface KeyedResource {
  /** What problem details call an item. */
  noun: string;
  /** The name of the constraint that makes keys unique. */
  keyConstraint: string;
}

/** The steps of a PUT. Both writes return null if the item, or a resource it refers to, was changed concurrently. */
export interface PutSteps<Item extends { revision: number }, Answer> {
  /** Returns the item currently at the address. */
  find: () => Promise<Item | null>;
  /** Validates a whole definition and stores it in place of the item's. */
  replace: (item: Item, sent: JsonObject) => Promise<Answer | null>;
  /** Validates and stores a new item. */
  create: (sent: JsonObject) => Promise<Answer | null>;
}

/** The response to a PUT, and whether the item is new. */
export interface PutOutcome<Answer> {
  answer: Answer;
  created: boolean;
}

/** How often a write is repeated because of a concurrent write, or the deletion of a resource it refers to. */
const MAX_ATTEMPTS = 20;
const PAUSE_MS = 20;

/** Writes resources that have keys. Safe to repeat, and safe under concurrency. */
@Injectable()
export class KeyedWrites {
  constructor(private readonly transactions: Transactions) {}

  /** Runs a write in a transaction. @throws 409 `key_taken` if another item of the team has the key */
  async run<T>({ noun, keyConstraint }: KeyedResource, work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.transactions.run(work);
    } catch (error) {
      if (!isUniqueViolation(error, keyConstraint)) throw error;
      throw new ProblemException(409, 'key_taken', `Another ${noun} of the team already has this key.`);
    }
  }

  /**
   * Repeats `attempt` while it returns null, which means that the validated state changed before it was written.
   * @throws 409 `conflict` if that does not end
   */
  async untilWritten<T>({ noun }: KeyedResource, attempt: () => Promise<T | null>): Promise<T> {
    for (let count = 1; count <= MAX_ATTEMPTS; count += 1) {
      const written = await attempt();
      if (written !== null) return written;
      await delay(Math.random() * PAUSE_MS * count);
    }
    throw new ProblemException(409, 'conflict', `There are too many concurrent writes to the ${noun}. Try again.`);
  }

  /**
   * Stores a whole definition: replaces the item at the address or, with `key:<key>`, creates it. Of concurrent
   * writers, the last one wins.
   * @throws 404 for an id without an item, 412, 422, 409
   */
  put<Item extends { revision: number }, Answer>(
    resource: KeyedResource,
    { address, body, ifMatch }: { address: string; body: unknown; ifMatch: IfMatch },
    steps: PutSteps<Item, Answer>,
  ): Promise<PutOutcome<Answer>> {
    const item = itemAddress(address);
    const key = item && 'key' in item ? item.key : null;
    return this.untilWritten(resource, async () => {
      const found = await steps.find();
      if (!found && key === null) throw notFound();
      ifMatch.assert(found?.revision ?? null);
      const sent = key === null ? readObject(body) : withItemKey(readObject(body), key);
      try {
        const answer = found ? await steps.replace(found, sent) : await steps.create(sent);
        return answer && { answer, created: found === null };
      } catch (error) {
        if (key !== null && (await this.wasOvertaken(error, found === null, steps.find))) return null;
        throw error;
      }
    });
  }

  /** Returns whether an item was deleted before it was replaced, or created by another writer first. */
  private async wasOvertaken(error: unknown, isNew: boolean, find: () => Promise<unknown>): Promise<boolean> {
    if (!(error instanceof ProblemException)) return false;
    if (!isNew) return error.code === 'not_found';
    return error.getStatus() === 409 && (await find()) !== null;
  }
}
