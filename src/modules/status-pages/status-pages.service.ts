import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppConfig } from '../../config/app-config.js';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { isUniqueViolation } from '../../database/unique-violation.js';
import { CursorCodec } from '../../http/cursor.js';
import { itemAddress } from '../../http/item-address.js';
import { type JsonObject } from '../../http/json.js';
import { type Page, pageOf } from '../../http/page.js';
import { type TeamId } from '../../http/principal.js';
import { notFound, ProblemException, validationFailed } from '../../http/problem.js';
import { readObject } from '../../http/validation.js';
import { createAddressPolicy } from '../../probes/net/address-policy.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type ListStatusPagesDto } from './dto/list-status-pages.dto.js';
import { type StatusPageDto } from './dto/status-page.dto.js';
import { type PlacedComponent, placeComponents, type SentComponent } from './page-components.js';
import { hashPassword } from './page-password.js';
import { type AcceptedPage, type PageDefinition, type PageRules, patchPage, readPage } from './page-write.js';
import { insertComponents, isForeignKeyViolation, untilWritten } from './page-storage.js';
import { StatusPageComponent } from './status-page-component.entity.js';
import { StatusPage } from './status-page.entity.js';
import { type StoredPage, toDefinition, toStatusPageDto } from './status-page.mapper.js';

interface Filters {
  [name: string]: string | undefined;
  key?: string;
  slug?: string;
}

/** Definitions of status pages: the writes of callers, each in one transaction, and their reads. */
@Injectable()
export class StatusPagesService {
  private readonly refusesHost: PageRules['refusesHost'];

  constructor(
    @InjectRepository(StatusPage) private readonly pages: Repository<StatusPage>,
    @InjectRepository(StatusPageComponent) private readonly components: Repository<StatusPageComponent>,
    private readonly transactions: Transactions,
    private readonly monitors: MonitorsService,
    private readonly cursors: CursorCodec,
    private readonly config: AppConfig,
  ) {
    const policy = createAddressPolicy(config.get('ALLOW_PRIVATE_TARGETS'));
    this.refusesHost = (host) => policy.refusesHost(host);
  }

  async list(teamId: TeamId, query: ListStatusPagesDto): Promise<Page<StatusPageDto>> {
    const given: Filters = { key: query.key, slug: query.slug };
    const scope = { teamId, list: 'status-pages' };
    const cursor = query.cursor === undefined ? null : this.cursors.open<Filters>(scope, query.cursor, given);
    const filters = cursor?.params ?? given;
    const rows = this.pages
      .createQueryBuilder('p')
      .where('p.team_id = :teamId', { teamId })
      .orderBy('p.created_at', 'DESC')
      .addOrderBy('p.id', 'DESC')
      .limit(query.limit + 1);
    if (filters.key !== undefined) rows.andWhere('p.key = :key', { key: filters.key });
    if (filters.slug !== undefined) rows.andWhere('p.slug = :slug', { slug: filters.slug });
    if (cursor) {
      const [createdAt, id] = cursor.after;
      rows.andWhere('(p.created_at, p.id) < (:createdAt::timestamptz, :id::uuid)', { createdAt, id });
    }
    const dtos = await this.views(await this.withComponents(await rows.getMany()));
    return pageOf(dtos, query.limit, (last) =>
      this.cursors.seal(scope, { params: filters, after: [last.createdAt, last.id] }),
    );
  }

  /** @throws 404 */
  async get(teamId: TeamId, address: string): Promise<StatusPageDto> {
    const [view] = await this.views(await this.withComponents([await this.find(teamId, address)]));
    if (!view) throw notFound();
    return view;
  }

  /** The published page of a slug, whosever it is. @throws 404 */
  async published(slug: string): Promise<StoredPage> {
    const page = /^[a-z0-9-]{1,63}$/.test(slug) ? await this.pages.findOneBy({ slug, published: true }) : null;
    const [stored] = page ? await this.withComponents([page]) : [];
    if (!stored) throw notFound();
    return stored;
  }

  /** @throws 422, 409 `slug_taken`, `key_taken` */
  async create(teamId: TeamId, body: unknown): Promise<StatusPageDto> {
    const id = uuidv7();
    const accepted = this.accept(readObject(body), false);
    const passwordHash = accepted.password === null ? null : await hashPassword(accepted.password);
    await untilWritten(async () => {
      const components = await this.place(teamId, accepted.components ?? [], []);
      return this.write(async (tx) => {
        const now = new Date();
        const times = { createdAt: now, updatedAt: now };
        await managerOf(tx).insert(StatusPage, {
          ...accepted.definition,
          passwordHash,
          ...times,
          id,
          teamId,
          revision: 1,
        });
        await insertComponents(tx, teamId, id, components);
        return true;
      });
    });
    return this.get(teamId, id);
  }

  /** Merges a patch (RFC 7396) onto the definition and validates the outcome as a create. @throws 404, 422, 409 */
  async update(teamId: TeamId, address: string, body: unknown): Promise<StatusPageDto> {
    const { id } = await this.find(teamId, address);
    const patch = readObject(body);
    let newHash: string | undefined;
    await untilWritten(async () => {
      const page = await this.find(teamId, id);
      const accepted = this.accept(patchPage(toDefinition(page), patch), page.passwordHash !== null);
      if (accepted.password !== null) newHash ??= await hashPassword(accepted.password);
      const stored = await this.components.findBy({ teamId, statusPageId: id });
      const components = accepted.components && (await this.place(teamId, accepted.components, stored));
      const passwordHash = accepted.definition.accessType === 'password' ? (newHash ?? page.passwordHash) : null;
      return this.replace(teamId, page, { ...accepted.definition, passwordHash }, components);
    });
    return this.get(teamId, id);
  }

  /** @throws 404 */
  async remove(teamId: TeamId, address: string): Promise<void> {
    const { id } = await this.find(teamId, address);
    const { affected } = await this.pages.delete({ teamId, id });
    if (!affected) throw notFound();
  }

  private async find(teamId: TeamId, address: string): Promise<StatusPage> {
    const item = itemAddress(address);
    const page = item && (await this.pages.findOneBy({ teamId, ...item }));
    if (!page) throw notFound();
    return page;
  }

  /** `false`: another write came first. `components` null: they stay. */
  private replace(
    teamId: TeamId,
    page: StatusPage,
    columns: PageDefinition & Pick<StatusPage, 'passwordHash'>,
    components: PlacedComponent[] | null,
  ): Promise<boolean> {
    const { id, revision } = page;
    return this.write(async (tx) => {
      const manager = managerOf(tx);
      const changes = { ...columns, revision: revision + 1, updatedAt: new Date() };
      const { affected } = await manager.update(StatusPage, { id, teamId, revision }, changes);
      if (affected !== 1) return false;
      if (components) {
        await manager.delete(StatusPageComponent, { teamId, statusPageId: id });
        await insertComponents(tx, teamId, id, components);
      }
      return true;
    });
  }

  private accept(body: JsonObject, hasPassword: boolean): AcceptedPage {
    const { page, errors } = readPage(body, { hasPassword, refusesHost: this.refusesHost });
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

  /** Runs a write; `false` where a monitor that it names was deleted meanwhile, so that it must be judged anew. */
  private async write(work: (tx: Tx) => Promise<boolean>): Promise<boolean> {
    try {
      return await this.transactions.run(work);
    } catch (error) {
      if (isUniqueViolation(error, 'status_pages_slug')) {
        throw new ProblemException(409, 'slug_taken', 'Another status page of this instance has this slug.');
      }
      if (isUniqueViolation(error, 'status_pages_team_key')) {
        throw new ProblemException(409, 'key_taken', 'Another status page of the team has this key.');
      }
      if (isForeignKeyViolation(error)) return false;
      throw error;
    }
  }

  /** The pages with their components, in the same order: one read, whatever their number. */
  private async withComponents(pages: StatusPage[]): Promise<StoredPage[]> {
    if (pages.length === 0) return [];
    const rows = await this.components.find({
      where: { statusPageId: In(pages.map(({ id }) => id)) },
      order: { statusPageId: 'ASC', position: 'ASC' },
    });
    const stored = new Map(pages.map((page) => [page.id, { page, components: [] as StatusPageComponent[] }]));
    for (const row of rows) stored.get(row.statusPageId)?.components.push(row);
    return [...stored.values()];
  }

  private async views(stored: StoredPage[]): Promise<StatusPageDto[]> {
    const monitorIds = new Set(stored.flatMap(({ components }) => components.map(({ monitorId }) => monitorId)));
    const shown = await this.monitors.shown([...monitorIds]);
    return stored.map((one) => toStatusPageDto(one, shown, this.config.origin));
  }
}
