import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { Transactions } from '../../database/tx.js';
import { validateBody } from '../../http/body/validation.js';
import { ProblemException } from '../../http/problems/problem.js';
import { FailureThrottle } from '../../http/throttle/failure-throttle.js';
import { OperatorMail } from '../mail/operator-mail.service.js';
import { MembersService } from '../teams/members.service.js';
import { EmailDto } from '../users/dto/new-user.dto.js';
import { type UserSummary, UsersService } from '../users/users.service.js';
import { PasswordChanges } from './password-changes.service.js';
import { ResetLinks } from './reset-links.service.js';

/** Requests for a link that an address of a client may make. */
const LIMITS = { failures: 10, windowMs: 15 * 60_000, addresses: 10_000 };

/** Lets people who forgot their password set a new one with a link that is mailed to them. */
@Injectable()
export class PasswordResets implements OnModuleDestroy {
  private readonly logger = new Logger(PasswordResets.name);
  private readonly throttle = new FailureThrottle(LIMITS);
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly config: AppConfig,
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly links: ResetLinks,
    private readonly changes: PasswordChanges,
    private readonly mail: OperatorMail,
  ) {}

  /** Whether links can be requested: only with a mail server. */
  get isOffered(): boolean {
    return this.mail.canSend;
  }

  /** Waits for the links that are being mailed. */
  async onModuleDestroy(): Promise<void> {
    await Promise.allSettled(this.running);
  }

  /**
   * Mails a link to the person with this email, if there is one. Returns at once and looks the person up afterwards, so
   * that neither the answer nor its time discloses whether they exist. Throws 422 by `/email` for what is not an
   * address, and 429 after 10 requests from the address of a client in 15 minutes.
   */
  request(body: { email: string }, address: string): void {
    const { email } = validateBody(EmailDto, { email: body.email.trim() });
    const waitMs = this.throttle.take(address, Date.now());
    if (waitMs > 0) throw tooMany(waitMs);
    const run = this.mailLink(email, address)
      .catch((error: unknown) => this.logger.error('could not mail a link to reset a password', error))
      .finally(() => this.running.delete(run));
    this.running.add(run);
  }

  /** Returns the person whose password a link can set; null if it is unknown, used or expired. */
  async find(token: string | null): Promise<UserSummary | null> {
    const userId = token === null ? null : await this.links.find(token);
    return userId === null ? null : this.users.find(userId);
  }

  /**
   * Sets the password of the person with a link, which is used up, and ends all their sessions. Throws 422 by
   * `/password`, 429 while too many passwords are being hashed, and 409 if the link can no longer be used.
   */
  async reset(token: string, password: string): Promise<void> {
    const user = await this.find(token);
    if (!user) throw usedUp();
    const passwordHash = await this.users.prepareNewPassword(user.email, password);
    const memberships = await this.members.of(user.id);
    await this.transactions.run(async (tx) => {
      if ((await this.links.use(tx, token)) === null) throw usedUp();
      await this.users.replacePassword(tx, user.id, passwordHash);
      await this.changes.settle(tx, user, { method: 'reset', memberships });
    });
    this.changes.announce(user);
  }

  private async mailLink(email: string, address: string): Promise<void> {
    const user = await this.users.findByEmail(email);
    const token = user && (await this.links.create(user.id));
    if (!user || token === null) return;
    // Not the host of the request, which its sender chooses: a forged one would be sent the token.
    const url = `${this.config.origin}/reset-password/${token}`;
    const delivery = await this.mail.send({
      to: user.email,
      subject: 'Reset your Daywatch password',
      paragraphs: [`A password reset was requested for the Daywatch account ${user.email}.`],
      link: { label: 'Set a new password', url },
      notes: [
        'The link can be used once, within one hour.',
        `The request came from the IP address ${address}. If this was not you, ignore this email: your password does not change.`,
      ],
    });
    if (delivery.status === 'failed') this.logger.warn(`could not mail a link to reset a password: ${delivery.error}`);
  }
}

function tooMany(waitMs: number): ProblemException {
  return new ProblemException(429, 'rate_limited', 'Too many requests from this address. Try again later.', {
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1_000)) },
  });
}

function usedUp(): ProblemException {
  return new ProblemException(409, 'conflict', 'The link has already been used or has expired. Request a new one.');
}
