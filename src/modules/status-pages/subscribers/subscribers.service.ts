import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { managerOf, Transactions, type Tx } from '../../../database/tx.js';
import { isUniqueViolation } from '../../../database/unique-violation.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { validateBody } from '../../../http/body/validation.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../../http/idempotency/keep-answer.js';
import { KeysetLists, newestFirst } from '../../../http/lists/keyset-lists.js';
import { Page } from '../../../http/lists/page.js';
import { type FieldError, notFound, ProblemException, validationFailed } from '../../../http/problems/problem.js';
import { EventLog } from '../../events/event-log.service.js';
import { SubscriberMail } from '../../mail/subscriber-mail.service.js';
import { type StoredPage } from '../status-page.mapper.js';
import { StatusPagesService } from '../status-pages.service.js';
import { csvAddresses } from './csv-addresses.js';
import {
  CreateSubscriberDto,
  type ImportedSubscribersDto,
  ImportSubscribersDto,
  type ListSubscribersDto,
  SUBSCRIBER_READ_ONLY_FIELDS,
  type SubscriberDto,
} from './dto/subscriber.dto.js';
import { Quarantine } from './quarantine.service.js';
import { SubscriberAddresses } from './subscriber-addresses.service.js';
import { importEvent, subscriberEvent } from './subscriber-events.js';
import { IMPORT, isAddress, skipReason } from './subscriber-import.js';
import { Subscriber } from './subscriber.entity.js';
import { toSubscriberDto } from './subscriber.mapper.js';
import { Subscriptions } from './subscriptions.service.js';
import { SubscriberWebhooks } from './webhooks/subscriber-webhooks.service.js';

const ORDER = newestFirst<Subscriber>('s', 'created_at', (row) => row.createdAt);

/** The subscribers of a team's status pages, for its administrators. */
@Injectable()
export class SubscribersService {
  constructor(
    @InjectRepository(Subscriber) private readonly subscribers: Repository<Subscriber>,
    private readonly pages: StatusPagesService,
    private readonly subscriptions: Subscriptions,
    private readonly webhooks: SubscriberWebhooks,
    private readonly addresses: SubscriberAddresses,
    private readonly quarantine: Quarantine,
    private readonly transactions: Transactions,
    private readonly events: EventLog,
    private readonly mail: SubscriberMail,
    private readonly lists: KeysetLists,
  ) {}

  /** Lists the subscribers of a page, newest first. @throws 404, 400 `invalid_cursor` */
  async list(teamId: TeamId, address: string, query: ListSubscribersDto): Promise<Page<SubscriberDto>> {
    const { id: statusPageId } = await this.pages.find(teamId, address);
    const from = { teamId, list: `subscribers/${statusPageId}` };
    const { status, email } = query;
    const given = { status, email: email?.toLowerCase() };
    const { rows, nextCursor } = await this.lists.page(from, query, given, {
      read: (filters, after, count) => {
        const found = this.subscribers
          .createQueryBuilder('s')
          .where('s.status_page_id = :statusPageId', { statusPageId });
        if (filters.status !== undefined) found.andWhere('s.status = :status', { status: filters.status });
        if (filters.email !== undefined) found.andWhere('s.email = :email', { email: filters.email });
        return ORDER.apply(found, after, count).getMany();
      },
      keyOf: (row) => ORDER.keyOf(row),
    });
    const webhooks = await this.webhooks.of(rows.map(({ id }) => id));
    return new Page(
      rows.map((row) => toSubscriberDto(row, webhooks.get(row.id))),
      nextCursor,
    );
  }

  /** Returns a subscriber of a page. @throws 404 */
  async get(teamId: TeamId, address: string, id: string): Promise<SubscriberDto> {
    const { id: statusPageId } = await this.pages.find(teamId, address);
    const row = isUuid(id) ? await this.subscribers.findOneBy({ id, statusPageId }) : null;
    if (!row) throw notFound();
    return toSubscriberDto(row, (await this.webhooks.of([id])).get(id));
  }

  /** Returns how many subscribers a page has who have confirmed. @throws 404 */
  async count(teamId: TeamId, address: string): Promise<number> {
    const { id: statusPageId } = await this.pages.find(teamId, address);
    return this.subscribers.countBy({ statusPageId, status: 'active' });
  }

  /**
   * Adds a subscriber: active at once if the body states where they consented, and otherwise with a link to confirm.
   * An address that bounced may be sent mail again.
   * @throws 404, 422, 409 if the address is subscribed, left the page or reported spam, 429 if it was written to too often
   */
  async create(
    teamId: TeamId,
    address: string,
    body: unknown,
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<SubscriberDto> {
    const stored = await this.pages.stored(teamId, address);
    const dto = validateBody(CreateSubscriberDto, body, { readOnly: SUBSCRIBER_READ_ONLY_FIELDS });
    const consentSource = dto.consentSource ?? null;
    const faults = [...componentFaults(stored, dto.componentIds ?? []), ...this.mailFaults(consentSource)];
    if (faults.length > 0) throw validationFailed(faults);
    const email = dto.email.toLowerCase();
    const created = await this.unlessImported(async (tx) => {
      await this.pages.hold(tx, stored.page);
      const row = { email, componentIds: dto.componentIds ?? null, consentSource };
      const subscriber = await this.insert(tx, stored.page, row);
      if (consentSource === null && !(await this.addresses.takeLetter(tx, email))) throw writtenTooOften();
      // Somebody may have entered the address on the page before, with a webhook.
      const answer = toSubscriberDto(subscriber, (await this.webhooks.of([subscriber.id], tx)).get(subscriber.id));
      await keep.in(tx, { ...answer, email: null, webhook: null });
      return { subscriber, answer };
    });
    if (consentSource === null) await this.subscriptions.mailConfirmation(stored.page, created.subscriber);
    return created.answer;
  }

  /**
   * Subscribes the addresses of a CSV file, which sends nothing. Addresses that left the page or are quarantined are
   * skipped.
   * @throws 404, 422
   */
  async import(
    teamId: TeamId,
    address: string,
    body: unknown,
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<ImportedSubscribersDto> {
    const page = await this.pages.find(teamId, address);
    const { csv, consentSource } = validateBody(ImportSubscribersDto, body);
    const lines = csvAddresses(csv).map(({ line, text }) => ({ line, email: text.toLowerCase() }));
    return this.transactions.run(async (tx) => {
      await this.pages.hold(tx, page);
      const where = { teamId, statusPageId: page.id };
      const addresses = [...new Set(lines.map(({ email }) => email))].filter(isAddress);
      const valid = new Set(addresses);
      const erased = await this.addresses.erased(tx, where, addresses);
      const quarantined = await this.quarantine.among(tx, addresses);
      const stored = await this.stored(tx, page.id, addresses);
      const taken = new Set(addresses.filter((email) => (stored.get(email) ?? 'pending') !== 'pending'));
      const wanted = new Set<string>();
      const judged = lines.map(({ line, email }) => {
        const reason = skipReason(email, { valid, erased, quarantined, taken, wanted });
        if (reason === null) wanted.add(email);
        return { line, email, reason };
      });
      const emails = [...wanted];
      await this.subscriptions.assertRoom(tx, teamId, emails.length);
      const values = [emails.map(() => uuidv7()), teamId, page.id, emails, consentSource];
      const rows: { email: string }[] = await managerOf(tx).query(IMPORT, values);
      const imported = new Set(rows.map(({ email }) => email));
      const skipped = judged.flatMap(({ line, email, reason }) =>
        reason === null && imported.has(email) ? [] : [{ line, reason: reason ?? 'already_subscribed' }],
      );
      const answer = { imported: imported.size, skipped };
      if (imported.size > 0) await this.events.record(tx, [importEvent(page, imported.size, consentSource)]);
      await keep.in(tx, answer);
      return answer;
    });
  }

  /** Removes a subscriber, and erases their address. @throws 404 */
  async remove(teamId: TeamId, address: string, id: string): Promise<void> {
    const { id: statusPageId } = await this.pages.find(teamId, address);
    if (!isUuid(id)) throw notFound();
    await this.transactions.run(async (tx) => {
      const where = { id, teamId, statusPageId };
      const stored = await managerOf(tx).findOne(Subscriber, { where, lock: { mode: 'pessimistic_write' } });
      if (!stored) throw notFound();
      await managerOf(tx).delete(Subscriber, { id });
      await this.addresses.erase(tx, stored, stored.email);
      await this.events.record(tx, [subscriberEvent('subscriber.deleted', stored, 'team')]);
    });
  }

  /** Runs a write of one address. @throws 409 if an import, which does not wait for it, subscribes the address first */
  private async unlessImported<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.transactions.run(work);
    } catch (error) {
      if (isUniqueViolation(error, 'status_page_subscribers_email')) throw conflict(TAKEN.active);
      throw error;
    }
  }

  private async insert(
    tx: Tx,
    { id: statusPageId, teamId }: StoredPage['page'],
    given: Pick<Subscriber, 'email' | 'componentIds' | 'consentSource'>,
  ): Promise<Subscriber> {
    const where = { teamId, statusPageId };
    await this.addresses.lock(tx, given.email);
    const taken = await managerOf(tx).findOne(Subscriber, {
      where: { statusPageId, email: given.email },
      lock: { mode: 'pessimistic_write' },
    });
    if (taken && taken.status !== 'pending') throw conflict(TAKEN[taken.status]);
    if ((await this.quarantine.statusOf(tx, given.email)) === 'complained') throw conflict(COMPLAINED);
    await this.quarantine.lift(tx, given.email);
    const isErased = (await this.addresses.erased(tx, where, [given.email])).size > 0;
    if (isErased && given.consentSource !== null) {
      throw conflict('This address was unsubscribed or removed from the page. Only its owner can subscribe it again.');
    }
    await this.subscriptions.assertRoom(tx, teamId as TeamId);
    const row = activeRow({ ...where, ...given }, new Date());
    const pending = given.consentSource === null ? ({ status: 'pending', confirmedAt: null } as const) : {};
    const subscriber = { ...row, ...pending, ...(taken && { id: taken.id }) };
    await managerOf(tx).save(Subscriber, subscriber);
    if (given.consentSource !== null) {
      await this.events.record(tx, [subscriberEvent('subscriber.created', subscriber, 'team')]);
    }
    return subscriber;
  }

  /** Returns the status of the subscribers with these addresses. */
  private async stored(tx: Tx, statusPageId: string, emails: readonly string[]) {
    const rows: Pick<Subscriber, 'email' | 'status'>[] = await managerOf(tx).query(
      'SELECT email, status FROM status_page_subscribers WHERE status_page_id = $1 AND email = ANY($2::text[])',
      [statusPageId, emails],
    );
    return new Map(rows.map(({ email, status }) => [email, status]));
  }

  private mailFaults(consentSource: string | null): FieldError[] {
    if (consentSource !== null || this.mail.canSend) return [];
    const detail =
      'The operator has not configured a mail server with SMTP_URL and MAIL_FROM, so the address cannot be confirmed.';
    return [{ pointer: '/email', code: 'mail_not_configured', detail }];
  }
}

function activeRow(
  given: Pick<Subscriber, 'teamId' | 'statusPageId' | 'email' | 'componentIds' | 'consentSource'>,
  now: Date,
): Subscriber {
  const nothingSent = { statusReason: null, dueAt: null, lastAttemptAt: null, failures: 0 };
  return { id: uuidv7(), ...given, status: 'active', confirmedAt: now, createdAt: now, ...nothingSent };
}

function componentFaults({ components }: StoredPage, componentIds: readonly string[]): FieldError[] {
  const known = new Set(components.map(({ id }) => id));
  return componentIds.flatMap((id, index): FieldError[] =>
    known.has(id)
      ? []
      : [{ pointer: `/componentIds/${index}`, code: 'invalid_value', detail: 'The page has no such component.' }],
  );
}

const COMPLAINED = 'The owner of this address reported an email as spam, so nothing is sent to it.';
const TAKEN: Readonly<Record<Exclude<Subscriber['status'], 'pending'>, string>> = {
  active: 'This address is already subscribed to the page.',
  bounced: 'An email to this subscriber bounced. Remove the subscriber first to add the address again.',
  complained: COMPLAINED,
};

function conflict(detail: string): ProblemException {
  return new ProblemException(409, 'conflict', detail);
}

function writtenTooOften(): ProblemException {
  const detail = 'Too many subscription emails were sent to this address. Try again later.';
  return new ProblemException(429, 'rate_limited', detail, { headers: { 'Retry-After': '3600' } });
}
