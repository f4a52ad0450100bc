import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppConfig } from '../../config/app-config.js';
import { isForeignKeyViolation } from '../../database/foreign-key-violation.js';
import { leavesAsIs } from '../../database/leaves-as-is.js';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { isUniqueViolation } from '../../database/unique-violation.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { type IfMatch, UNCONDITIONAL } from '../../http/items/if-match.decorator.js';
import { type KeyedResource, KeyedWrites, type PutOutcome } from '../../http/items/keyed-writes.js';
import { type JsonObject } from '../../http/body/json.js';
import { type TeamId } from '../../http/auth/principal.js';
import { ProblemException, validationFailed } from '../../http/problems/problem.js';
import { OwnHosts } from '../../http/own-hosts.js';
import { Turns } from '../../http/throttle/turns.js';
import { readObject } from '../../http/body/validation.js';
import { createAddressPolicy } from '../../probes/net/address-policy.js';
import { EventLog } from '../events/event-log.service.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { TeamLimits } from '../teams/team-limits.service.js';
import { CustomDomains } from './custom-domains.service.js';
import { type StatusPageDto } from './dto/status-page.dto.js';
import { type PlacedComponent, placeComponents, type SentComponent } from './page-components.js';
import { changesOfPage, changesOfPassword, pageEvent } from './page-events.js';
import { PasswordHashes } from './password-hashes.js';
import { columnsOf, insertComponents, isPlaced } from './page-storage.js';
import { type AcceptedPage, type PageRules, patchPage, readPage } from './page-write.js';
import { PublicPagesService } from './public-pages.service.js';
import { StatusPageComponent } from './status-page-component.entity.js';
import { StatusPage } from './status-page.entity.js';
import { type StoredPage, toDefinition } from './status-page.mapper.js';
import { StatusPagesService } from './status-pages.service.js';

const RESOURCE: KeyedResource = { noun: 'status page', keyConstraint: 'status_pages_team_key' };

/** Performs the writes of callers, each in one transaction that also reads the response. */
@Injectable()
export class StatusPageWritesService {
  private readonly rules: Omit<PageRules, 'hasPassword'>;
  private readonly hashing = new Turns({ ofOwner: 4, ofAll: 64 });

  constructor(
    @InjectRepository(StatusPageComponent) private readonly components: Repository<StatusPageComponent>,
    private readonly pages: StatusPagesService,
    private readonly publicPages: PublicPagesService,
    private readonly domains: CustomDomains,
    private readonly transactions: Transactions,
    private readonly keyed: KeyedWrites,
    private readonly monitors: MonitorsService,
    private readonly limits: TeamLimits,
    private readonly events: EventLog,
    config: AppConfig,
  ) {
    const policy = createAddressPolicy(config.get('ALLOW_PRIVATE_TARGETS'));
    const own = new OwnHosts(config.hostNames);
    this.rules = {
      refusesHost: (host) => policy.refusesHost(host),
      ownsAnyHost: own.namesAny,
      isOwnHost: (host) => own.names(host),
    };
  }

  /** Creates a status page. @throws 422, 409 `slug_taken`, `key_taken` */
  async create(teamId: TeamId, body: unknown, keep: KeepAnswer = KEEPS_NOTHING): Promise<StatusPageDto> {
    const accepted = this.accept(readObject(body), false);
    const hashes = new PasswordHashes(teamId, this.hashing);
    return this.keyed.untilWritten(RESOURCE, () => this.insert(teamId, accepted, hashes, keep));
  }

  /** Returns the page that `create` would store, without storing it. Whether the slug is free is not checked. @throws 422 */
  async draft(teamId: TeamId, body: unknown): Promise<StoredPage> {
    const accepted = this.accept(readObject(body), false);
    const placed = await this.place(teamId, accepted.components ?? [], []);
    const page = newPage(teamId, accepted, null);
    const components = columnsOf(placed).map((columns) => ({ ...columns, statusPageId: page.id, teamId }));
    return { page, components };
  }

  /**
   * Stores a complete definition: replaces an existing page or, with `key:<key>`, creates it. Safe to repeat and to run
   * concurrently: the later write replaces the page. Keeps the stored password if none is sent. @throws 404, 412, 422,
   * 409
   */
  put(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
  ): Promise<PutOutcome<StatusPageDto>> {
    const hashes = new PasswordHashes(teamId, this.hashing);
    return this.keyed.put(
      RESOURCE,
      { address, body, ifMatch },
      {
        find: () => this.pages.findOrNull(teamId, address),
        replace: (found, sent) => {
          const accepted = this.accept(sent, found.passwordHash !== null);
          return this.replace(teamId, found, { ...accepted, components: accepted.components ?? [] }, hashes);
        },
        create: (sent) => this.insert(teamId, this.accept(sent, false), hashes, KEEPS_NOTHING),
      },
    );
  }

  /**
   * Merges a patch (RFC 7396) into the definition and validates the result like a create. @throws 404, 412, 422, 409
   */
  async update(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
  ): Promise<StatusPageDto> {
    const { id } = await this.pages.find(teamId, address);
    const hashes = new PasswordHashes(teamId, this.hashing);
    return this.keyed.untilWritten(RESOURCE, async () => {
      const page = await this.pages.find(teamId, id);
      ifMatch.assert(page.revision);
      const accepted = this.accept(patchPage(toDefinition(page), readObject(body)), page.passwordHash !== null);
      return this.replace(teamId, page, accepted, hashes);
    });
  }

  /** Deletes a status page. @throws 404, 412 */
  async remove(teamId: TeamId, address: string, ifMatch: IfMatch = UNCONDITIONAL): Promise<void> {
    const { id } = await this.pages.find(teamId, address);
    await this.keyed.untilWritten(RESOURCE, async () => {
      const page = await this.pages.find(teamId, id);
      const { revision, slug } = page;
      ifMatch.assert(revision);
      const removed = await this.transactions.run(async (tx) => {
        const { affected } = await managerOf(tx).delete(StatusPage, { teamId, id, revision });
        if (!affected) return null;
        await this.events.record(tx, [pageEvent('status_page.deleted', page)]);
        return true;
      });
      if (removed) this.forget(slug);
      return removed;
    });
  }

  /** Returns `null` if one of its monitors was deleted in the meantime. */
  private async insert(teamId: TeamId, accepted: AcceptedPage, hashes: PasswordHashes, keep: KeepAnswer) {
    const components = await this.place(teamId, accepted.components ?? [], []);
    const passwordHash = await this.hash(accepted, null, hashes);
    const made = await this.write(async (tx) => {
      const page = newPage(teamId, accepted, passwordHash);
      await this.limits.assertRoom(tx, teamId, 'MAX_STATUS_PAGES_PER_TEAM', StatusPage, { teamId });
      await managerOf(tx).insert(StatusPage, page);
      await insertComponents(tx, teamId, page.id, components);
      const answer = await this.pages.shownIn(tx, page);
      await this.events.record(tx, [pageEvent('status_page.created', page)]);
      await keep.in(tx, answer);
      return answer;
    });
    this.domains.forget();
    return made;
  }

  /**
   * Returns `null` if another write came first. Keeps the stored components if `components` is null, and the stored
   * password if none is sent.
   */
  private async replace(teamId: TeamId, page: StatusPage, accepted: AcceptedPage, hashes: PasswordHashes) {
    const { id, revision } = page;
    const stored = await this.components.findBy({ teamId, statusPageId: id });
    const components = accepted.components && (await this.place(teamId, accepted.components, stored));
    const newHash = await this.hash(accepted, id, hashes);
    const passwordHash = accepted.definition.accessType === 'password' ? (newHash ?? page.passwordHash) : null;
    const written = await this.write(async (tx) => {
      const manager = managerOf(tx);
      const columns = { ...accepted.definition, passwordHash };
      const before = await this.pages.shownIn(tx, page);
      if (leavesAsIs(page, columns) && (!components || isPlaced(components, stored))) return before;
      const changes = { ...columns, revision: revision + 1, updatedAt: new Date() };
      const { affected } = await manager.update(StatusPage, { id, teamId, revision }, changes);
      if (affected !== 1) return null;
      if (components) {
        await manager.delete(StatusPageComponent, { teamId, statusPageId: id });
        await insertComponents(tx, teamId, id, components);
      }
      const after = { ...page, ...changes };
      const answer = await this.pages.shownIn(tx, after);
      const edits = [...changesOfPage(before, answer), ...changesOfPassword(page.passwordHash, passwordHash)];
      await this.events.record(tx, [pageEvent('status_page.updated', after, edits)]);
      return answer;
    });
    if (written) this.forget(page.slug);
    return written;
  }

  /**
   * Hashes the password, if one is sent. Does not do so if the slug is taken, since that is costly. @throws 409, 429
   */
  private async hash({ definition, password }: AcceptedPage, id: string | null, hashes: PasswordHashes) {
    if (password === null) return null;
    if (await this.pages.isSlugTaken(definition.slug, id)) throw slugTaken();
    return hashes.of(password);
  }

  private forget(slug: string): void {
    this.publicPages.forget(slug);
    this.domains.forget();
  }

  private accept(body: JsonObject, hasPassword: boolean): AcceptedPage {
    const { page, errors } = readPage(body, { hasPassword, ...this.rules });
    if (!page) throw validationFailed(errors);
    return page;
  }

  private async place(
    teamId: TeamId,
    sent: SentComponent[],
    stored: StatusPageComponent[],
  ): Promise<PlacedComponent[]> {
    const monitors = await this.monitors.resolve(
      teamId,
      sent.map(({ monitorId }) => monitorId),
    );
    const { components, errors } = placeComponents(sent, stored, monitors, uuidv7);
    if (!components) throw validationFailed(errors);
    return components;
  }

  /**
   * Runs a write. Returns `null` if one of its monitors was deleted in the meantime, so that it must be validated
   * again.
   */
  private async write<T>(work: (tx: Tx) => Promise<T>): Promise<T | null> {
    try {
      return await this.keyed.run(RESOURCE, work);
    } catch (error) {
      if (isUniqueViolation(error, 'status_pages_slug')) throw slugTaken();
      if (isUniqueViolation(error, 'status_pages_custom_domain')) throw domainTaken();
      if (isForeignKeyViolation(error)) return null;
      throw error;
    }
  }
}

function newPage(teamId: TeamId, { definition }: AcceptedPage, passwordHash: string | null): StatusPage {
  const now = new Date();
  return { ...definition, createdAt: now, updatedAt: now, passwordHash, id: uuidv7(), teamId, revision: 1 };
}

function domainTaken(): ProblemException {
  return new ProblemException(409, 'domain_taken', 'Another status page on this instance already has this domain.');
}

function slugTaken(): ProblemException {
  return new ProblemException(409, 'slug_taken', 'Another status page on this instance already has this slug.');
}
