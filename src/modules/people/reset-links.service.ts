import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, MoreThan, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import { newToken, tokenHash } from '../../http/auth/link-token.js';
import { UsersService } from '../users/users.service.js';
import { PasswordReset } from './password-reset.entity.js';

const LIFE_MS = HOUR_MS;
/** Links that a person is sent. A new one does not void the others, or anybody could void them. */
const MAX_IN_HOUR = 3;
const MAX_IN_DAY = 10;

/** Links with which people set a new password. Each can be used once, within an hour. */
@Injectable()
export class ResetLinks {
  constructor(
    @InjectRepository(PasswordReset) private readonly resets: Repository<PasswordReset>,
    private readonly transactions: Transactions,
    private readonly users: UsersService,
  ) {}

  /** Creates a link and returns its token; null if the person has been sent too many (3 in an hour, 10 in a day). */
  async create(userId: string, now = Date.now()): Promise<string | null> {
    return this.transactions.run(async (tx) => {
      // Of concurrent requests, each counts the links of those before it.
      await this.users.lock(tx, userId);
      const manager = managerOf(tx);
      await manager.delete(PasswordReset, { createdAt: LessThan(new Date(now - DAY_MS)) });
      const since = (ms: number) => manager.countBy(PasswordReset, { userId, createdAt: MoreThan(new Date(now - ms)) });
      if ((await since(HOUR_MS)) >= MAX_IN_HOUR || (await since(DAY_MS)) >= MAX_IN_DAY) return null;
      return this.insert(tx, userId, now);
    });
  }

  /** Creates a link for the operator, whatever the person has been sent. Returns its token. */
  createUnlimited(userId: string, now = Date.now()): Promise<string> {
    return this.transactions.run((tx) => this.insert(tx, userId, now));
  }

  /** Returns the id of the person whose password this token can set; null if it is unknown, used or expired. */
  async find(token: string, now = Date.now()): Promise<string | null> {
    const found = await this.resets.findOneBy({ tokenHash: tokenHash(token), ...usableAt(now) });
    return found?.userId ?? null;
  }

  /**
   * Uses up a link. Returns the id of its person; null if it can no longer be used. Of several concurrent attempts, one
   * succeeds.
   */
  async use(tx: Tx, token: string, now = Date.now()): Promise<string | null> {
    const usable = { tokenHash: tokenHash(token), ...usableAt(now) };
    const { affected } = await managerOf(tx).update(PasswordReset, usable, { usedAt: new Date(now) });
    if (affected !== 1) return null;
    return (await managerOf(tx).findOneByOrFail(PasswordReset, { tokenHash: usable.tokenHash })).userId;
  }

  /** Voids all links of a person, whose password has changed. */
  async voidAll(tx: Tx, userId: string, now = Date.now()): Promise<void> {
    await managerOf(tx).update(PasswordReset, { userId, usedAt: IsNull() }, { usedAt: new Date(now) });
  }

  private async insert(tx: Tx, userId: string, now: number): Promise<string> {
    const token = newToken();
    await managerOf(tx).insert(PasswordReset, {
      id: uuidv7(),
      userId,
      tokenHash: tokenHash(token),
      createdAt: new Date(now),
      expiresAt: new Date(now + LIFE_MS),
    });
    return token;
  }
}

const usableAt = (now: number) => ({ usedAt: IsNull(), expiresAt: MoreThan(new Date(now)) });
