import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { GatheredReads } from '../../database/gathered-reads.js';
import { exclusionsVersion } from '../exclusions/exclusions.service.js';
import { incidentsVersion } from '../incidents/incidents.service.js';
import { maintenanceVersion } from '../maintenance/announced-maintenance.service.js';
import { monitorsVersion } from '../monitors/monitors.service.js';
import { standingsVersion } from '../monitors/state/location-standings.query.js';
import { INCIDENT_DAYS, MAINTENANCE_DAYS } from './public-page.types.js';
import { StatusPage } from './status-page.entity.js';
import { SLUG } from './slug.js';

/** A published page: its password and the version of its content. */
export interface PublishedPage {
  slug: string;
  /** `null` if the page is public. */
  passwordHash: string | null;
  /** Changes with every write of the page, its components and the data that it shows, except figures. */
  version: string;
}

interface PageRecord {
  slug: string;
  access_type: string;
  password_hash: string | null;
  version: string;
}

const VERSIONS = `
SELECT p.slug, p.access_type, p.password_hash, md5(concat_ws('|', p.id, p.xmin, shown.version,
  ${monitorsVersion('shown.monitor_ids')},
  CASE WHEN p.show_locations THEN ${standingsVersion('shown.monitor_ids')} END,
  ${incidentsVersion('shown.monitor_ids', `now() - interval '${INCIDENT_DAYS} days'`)},
  ${maintenanceVersion('p.team_id', `now() + interval '${MAINTENANCE_DAYS} days'`)},
  ${exclusionsVersion('p.team_id')})) AS version
FROM status_pages p CROSS JOIN LATERAL (
  SELECT array_agg(c.monitor_id) AS monitor_ids, string_agg(concat(c.id, ',', c.xmin), ' ' ORDER BY c.id) AS version
  FROM status_page_components c WHERE c.status_page_id = p.id) AS shown
WHERE p.slug = ANY($1::text[]) AND p.published`;

/** Reads what every request of a page must check again: whether it is published, its password and its version. */
@Injectable()
export class PublishedPages {
  private readonly reads = new GatheredReads<string, PublishedPage | null>((slugs) => this.read(slugs));

  constructor(@InjectRepository(StatusPage) private readonly pages: Repository<StatusPage>) {}

  /** Returns the current state of a page; `null` for an unknown slug or an unpublished page. */
  async find(slug: string): Promise<PublishedPage | null> {
    return SLUG.test(slug) ? this.reads.get(slug) : null;
  }

  private async read(slugs: readonly string[]): Promise<(PublishedPage | null)[]> {
    const rows: PageRecord[] = await this.pages.query(VERSIONS, [[...new Set(slugs)]]);
    const found = new Map(
      rows.map(({ slug, access_type, password_hash, version }) => {
        const passwordHash = access_type === 'password' ? (password_hash ?? '') : null;
        return [slug, { slug, passwordHash, version }];
      }),
    );
    return slugs.map((slug) => found.get(slug) ?? null);
  }
}
