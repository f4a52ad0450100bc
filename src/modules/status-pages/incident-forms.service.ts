import { Injectable } from '@nestjs/common';
import { itemAddress } from '../../http/items/item-address.js';
import { notFound } from '../../http/problems/problem.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import { type PublicIncidentDto } from './dto/public-incident.dto.js';
import { renderIncidentPage } from './html/incident-page.view.js';
import { htmlForm, type PageContext, type PageForm } from './page-form.js';
import { toPublicIncident } from './public-incident.js';

/** The pages of single incidents. */
@Injectable()
export class IncidentForms {
  constructor(private readonly incidents: IncidentsService) {}

  /** Returns the page of an incident. Rendering it throws 404 unless it affects a component of the page. */
  form(id: string): PageForm {
    const item = itemAddress(id);
    const known = item && 'id' in item ? item.id : null;
    return htmlForm(`incident/${known}`, async (context) => {
      const incident = known === null ? null : await this.find(known, context);
      if (!incident) throw notFound();
      return renderIncidentPage(context, incident);
    });
  }

  /** Prefers the page's own copy only while the database is away, because it may lack older updates. */
  private find(id: string, { page, isLastKnown, recall }: PageContext): Promise<PublicIncidentDto | null> {
    const { parts, view } = page;
    const shown = isLastKnown ? view.incidents.find((one) => one.id === id) : undefined;
    if (shown) return Promise.resolve(shown);
    return recall(`incident/${id}`, async () => {
      const found = await this.incidents.oneAbout(
        parts.map(({ monitorId }) => monitorId),
        id,
      );
      return found && toPublicIncident(found, parts);
    });
  }
}
