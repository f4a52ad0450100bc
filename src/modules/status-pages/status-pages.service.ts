import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { AppConfig } from '../../config/app-config.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { KeysetLists, newestFirst } from '../../http/lists/keyset-lists.js';
import { itemAddress } from '../../http/items/item-address.js';
import { Page } from '../../http/lists/page.js';
import { type TeamId } from '../../http/auth/principal.js';
import { notFound } from '../../http/problems/problem.js';
import { Representation } from '../../http/items/representation.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type ListStatusPagesDto } from './dto/list-status-pages.dto.js';
import { type StatusPageDefinitionDto, type StatusPageDto } from './dto/status-page.dto.js';
import { SLUG } from './slug.js';
import { StatusPageComponent } from './status-page-component.entity.js';
import { StatusPage } from './status-page.entity.js';
import { type StoredPage, toDefinitionDto, toStatusPageDto } from './status-page.mapper.js';

interface Filters {
  [name: string]: string | boolean | undefined;
  key?: string;
  slug?: string;
  published?: boolean;
  view?: 'definition';
}

const ORDER = newestFirst<StatusPage>('p', 'created_at', (row) => row.createdAt);

/** Reads status pages. `StatusPageWritesService` writes them. */
@Injectable()
export class StatusPagesService {
  constructor(
    @InjectRepository(StatusPage) private readonly pages: Repository<StatusPage>,
    @InjectRepository(StatusPageComponent) private readonly components: Repository<StatusPageComponent>,
    private readonly monitors: MonitorsService,
    private readonly incidents: IncidentsService,
    private readonly lists: KeysetLists,
    private readonly config: AppConfig,
  ) {}

  /** Returns a page of status pages, or of their writable fields with `view=definition`. */
  async list(
    teamId: TeamId,
    query: ListStatusPagesDto & Pick<Filters, 'published'>,
  ): Promise<Page<StatusPageDto | StatusPageDefinitionDto>> {
    const given: Filters = { key: query.key, slug: query.slug, published: query.published, view: query.view };
    const { rows, filters, nextCursor } = await this.lists.page({ teamId, list: 'status-pages' }, query, given, {
      read: ({ key, slug, published }, after, count) => {
        const pages = this.pages.createQueryBuilder('p').where('p.team_id = :teamId', { teamId });
        if (key !== undefined) pages.andWhere('p.key = :key', { key });
        if (slug !== undefined) pages.andWhere('p.slug = :slug', { slug });
        if (published !== undefined) pages.andWhere('p.published = :published', { published });
        return ORDER.apply(pages, after, count).getMany();
      },
      keyOf: (row) => ORDER.keyOf(row),
    });
    const stored = await this.withComponents(rows);
    if (filters.view === 'definition') return new Page(await this.definitions(teamId, stored), nextCursor);
    return new Page(await this.views(stored), nextCursor);
  }

  listDefinitions(teamId: TeamId, query: ListStatusPagesDto): Promise<Page<StatusPageDefinitionDto>> {
    return this.list(teamId, { ...query, view: 'definition' });
  }

  /** @throws 404 */
  async get(teamId: TeamId, address: string): Promise<StatusPageDto> {
    const [view] = await this.views(await this.withComponents([await this.find(teamId, address)]));
    if (!view) throw notFound();
    return view;
  }

  /** Returns the writable fields, as a PUT accepts them. @throws 404 */
  async definition(teamId: TeamId, address: string): Promise<Representation<StatusPageDefinitionDto>> {
    const page = await this.find(teamId, address);
    const [definition] = await this.definitions(teamId, await this.withComponents([page]));
    return new Representation(definition!, page.revision);
  }

  /** Returns the published page with a slug, of any team. @throws 404 */
  async published(slug: string): Promise<StoredPage> {
    const page = SLUG.test(slug) ? await this.pages.findOneBy({ slug, published: true }) : null;
    const [stored] = page ? await this.withComponents([page]) : [];
    if (!stored) throw notFound();
    return stored;
  }

  /** Returns the page that a path names, with its components, published or not. @throws 404 */
  async stored(teamId: TeamId, address: string): Promise<StoredPage> {
    const [stored] = await this.withComponents([await this.find(teamId, address)]);
    if (!stored) throw notFound();
    return stored;
  }

  /** Returns the page that a path names. @throws 404 */
  async find(teamId: TeamId, address: string): Promise<StatusPage> {
    const page = await this.findOrNull(teamId, address);
    if (!page) throw notFound();
    return page;
  }

  /** Keeps a page from being deleted until a transaction ends. @throws 404 if it no longer exists */
  async hold(tx: Tx, { id }: Pick<StatusPage, 'id'>): Promise<void> {
    const held = await managerOf(tx).query<unknown[]>('SELECT FROM status_pages WHERE id = $1 FOR KEY SHARE', [id]);
    if (held.length === 0) throw notFound();
  }

  async findOrNull(teamId: TeamId, address: string): Promise<StatusPage | null> {
    const item = itemAddress(address);
    return item && this.pages.findOneBy({ teamId, ...item });
  }

  /** Returns the published pages of a team that show one of these monitors, by name. */
  async showing(teamId: TeamId, monitorIds: readonly string[]): Promise<Pick<StatusPage, 'id' | 'name'>[]> {
    if (monitorIds.length === 0) return [];
    const showing = this.components
      .createQueryBuilder('c')
      .select('c.status_page_id')
      .where('c.monitor_id IN (:...monitorIds)');
    return this.pages
      .createQueryBuilder('p')
      .select(['p.id', 'p.name'])
      .where(`p.team_id = :teamId AND p.published AND p.id IN (${showing.getQuery()})`, { teamId, monitorIds })
      .orderBy('p.name')
      .addOrderBy('p.id')
      .getMany();
  }

  /** Returns whether another page, of any team, has the slug. */
  async isSlugTaken(slug: string, exceptId: string | null): Promise<boolean> {
    const found = await this.pages.findOne({ where: { slug }, select: { id: true } });
    return found !== null && found.id !== exceptId;
  }

  /** Returns the page as it is in this transaction. */
  async shownIn(tx: Tx, page: StatusPage): Promise<StatusPageDto> {
    const [view] = await this.views(await this.withComponents([page], tx), tx);
    if (!view) throw notFound();
    return view;
  }

  /** Returns the pages with their components, in the same order, with one query whatever their number. */
  private async withComponents(pages: StatusPage[], tx?: Tx): Promise<StoredPage[]> {
    if (pages.length === 0) return [];
    const components = tx ? managerOf(tx).getRepository(StatusPageComponent) : this.components;
    const rows = await components.find({
      where: { statusPageId: In(pages.map(({ id }) => id)) },
      order: { statusPageId: 'ASC', position: 'ASC' },
    });
    const stored = new Map(pages.map((page) => [page.id, { page, components: [] as StatusPageComponent[] }]));
    for (const row of rows) stored.get(row.statusPageId)?.components.push(row);
    return [...stored.values()];
  }

  private async views(stored: StoredPage[], tx?: Tx): Promise<StatusPageDto[]> {
    const ids = monitorIds(stored);
    // One after the other, because a transaction has a single connection.
    const shown = await this.monitors.shown(ids, tx);
    const impacts = await this.incidents.impacts(ids, tx);
    return stored.map((one) => toStatusPageDto(one, shown, impacts, this.config.origin));
  }

  private async definitions(teamId: TeamId, stored: StoredPage[]): Promise<StatusPageDefinitionDto[]> {
    const addresses = await this.monitors.addresses(teamId, monitorIds(stored));
    return stored.map((one) => toDefinitionDto(one, addresses));
  }
}

function monitorIds(stored: readonly StoredPage[]): string[] {
  return [...new Set(stored.flatMap(({ components }) => components.map(({ monitorId }) => monitorId)))];
}
