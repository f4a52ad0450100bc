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

/** A kind of resource whose items callers may name by a key of their own, unique in the team. */
export interface KeyedResource {
  /** As problems name one of them. */
  noun: string;
  /** The name of the constraint that makes keys unique. */
  keyConstraint: string;
}

/** What a PUT does with an item. Both writes return null where the item, or what it names, changed meanwhile. */
export interface PutSteps<Item extends { revision: number }, Answer> {
  /** What is at the address now. */
  find: () => Promise<Item | null>;
  /** Judges and stores a whole definition in place of the item's. */
  replace: (item: Item, sent: JsonObject) => Promise<Answer | null>;
  /** Judges and stores a new item. */
  create: (sent: JsonObject) => Promise<Answer | null>;
}

/** The answer to a PUT, and whether the item is new. */
export interface PutOutcome<Answer> {
  answer: Answer;
  created: boolean;
}

/** How often a write starts over because another one, or the deletion of what it names, came in between. */
const MAX_ATTEMPTS = 20;
const PAUSE_MS = 20;

/** Writes of resources that have keys, safe to repeat and to race. */
@Injectable()
export class KeyedWrites {
  constructor(private readonly transactions: Transactions) {}

  /** Runs a write in a transaction. @throws 409 `key_taken` where another item of the team has the key */
  async run<T>({ noun, keyConstraint }: KeyedResource, work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.transactions.run(work);
    } catch (error) {
      if (!isUniqueViolation(error, keyConstraint)) throw error;
      throw new ProblemException(409, 'key_taken', `Another ${noun} of the team has this key.`);
    }
  }

  /**
   * Repeats `attempt` while it returns null: what it judged has changed before it was written.
   * @throws 409 `conflict` where that does not end
   */
  async untilWritten<T>({ noun }: KeyedResource, attempt: () => Promise<T | null>): Promise<T> {
    for (let count = 1; count <= MAX_ATTEMPTS; count += 1) {
      const written = await attempt();
      if (written !== null) return written;
      await delay(Math.random() * PAUSE_MS * count);
    }
    throw new ProblemException(409, 'conflict', `The ${noun} is being written by too many at once; try again.`);
  }

  /**
   * Stores a whole definition: replaces the item at the address or, by `key:<key>`, creates it. Of writers that race the
   * later one replaces. @throws 404 for an id without an item, 412, 422, 409
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

  /** Whether an item was deleted before it was replaced, or made by another writer before it was created. */
  private async wasOvertaken(error: unknown, isNew: boolean, find: () => Promise<unknown>): Promise<boolean> {
    if (!(error instanceof ProblemException)) return false;
    if (!isNew) return error.code === 'not_found';
    return error.getStatus() === 409 && (await find()) !== null;
  }
}
