import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { unlessAway } from '../../database/unless-away.js';
import { Copies, type Sized } from '../../domain/copies.js';
import { type Site, type Sites } from '../../http/own-hosts.js';
import { pathOnService } from './custom-domain.js';
import { StatusPage } from './status-page.entity.js';

const ALL = 'all';
/** As for copies of pages: what another process wrote is noticed after 5 s, after 30 s without any request at once. */
const FRESH_MS = 5_000;
const USABLE_MS = 30_000;
const PATIENCE_MS = 2_000;
/** Approximate memory for one domain. */
const BYTES_PER_DOMAIN = 300;

/** The slugs of pages by their own domains. */
class Domains implements Sized {
  readonly bytes: number;

  constructor(readonly slugs: ReadonlyMap<string, string>) {
    this.bytes = slugs.size * BYTES_PER_DOMAIN;
  }
}

/**
 * Finds the pages of domains. All domains are in memory, so that a request for a foreign host, which anybody can send,
 * costs no query.
 */
@Injectable()
export class CustomDomains implements Sites {
  private readonly copies = new Copies<Domains>({
    freshMs: FRESH_MS,
    usableMs: USABLE_MS,
    maxBytes: Infinity,
    now: () => performance.now(),
  });

  constructor(@InjectRepository(StatusPage) private readonly pages: Repository<StatusPage>) {}

  /**
   * Returns the page with this domain; null if there is none. While the database is away, as far as is known.
   */
  async find(domain: string): Promise<Site | null> {
    const slug = (await this.all()).slugs.get(domain);
    return slug === undefined ? null : { domain, pathOf: (path) => pathOnService(slug, path) };
  }

  /** Must be called after each write of a page. */
  forget(): void {
    this.copies.forget(ALL);
  }

  private async all(): Promise<Domains> {
    const last = this.copies.last(ALL);
    const read = () => this.copies.get(ALL, { version: '', askedAtMs: performance.now() }, () => this.read());
    if (!last) return read();
    const domains = await unlessAway(PATIENCE_MS, read);
    return domains === 'away' ? last : domains;
  }

  private async read(): Promise<Domains> {
    const rows: { custom_domain: string; slug: string }[] = await this.pages.query(
      'SELECT custom_domain, slug FROM status_pages WHERE custom_domain IS NOT NULL',
    );
    return new Domains(new Map(rows.map((row) => [row.custom_domain, row.slug])));
  }
}
