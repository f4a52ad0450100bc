import { Injectable } from '@nestjs/common';
import { IncidentsService } from '../../incidents/incidents.service.js';
import { AnnouncedMaintenanceService } from '../../maintenance/announced-maintenance.service.js';
import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type PublicMaintenanceDto } from '../dto/public-maintenance.dto.js';
import { jsonForm, type PageContext, type PageForm } from '../page-form.js';
import { toPublicIncident } from '../public-incident.js';
import { toPublicMaintenance } from '../public-maintenance.js';
import { componentsJson, incidentJson, maintenanceJson, pageJson } from './statuspage-json.js';
import { OVERALL } from './statuspage-words.js';
import {
  type StatuspageComponentsDto,
  type StatuspageIncidentsDto,
  type StatuspageMaintenancesDto,
  type StatuspageOverallDto,
  type StatuspageSummaryDto,
} from './statuspage-files.dto.js';

/** Maximum number of incidents, and of periods of maintenance, as in Statuspage. */
const MAX_ENTRIES = 50;

const isOpen = ({ status }: PublicIncidentDto): boolean => status === 'open';

function incidentsJson(context: PageContext, incidents: readonly PublicIncidentDto[]): StatuspageIncidentsDto {
  return { page: pageJson(context), incidents: incidents.map((one) => incidentJson(context, one)) };
}

function maintenancesJson(
  context: PageContext,
  maintenance: readonly PublicMaintenanceDto[],
): StatuspageMaintenancesDto {
  return {
    page: pageJson(context),
    scheduled_maintenances: maintenance.map((one) => maintenanceJson(context, one)),
  };
}

/** The forms of a page that Statuspage's readers expect below `/api/v2`. */
@Injectable()
export class StatuspageForms {
  readonly status: PageForm = jsonForm('v2/status', (context): StatuspageOverallDto => ({
    page: pageJson(context),
    status: OVERALL[context.page.view.status],
  }));

  readonly components: PageForm = jsonForm('v2/components', (context): StatuspageComponentsDto => ({
    page: pageJson(context),
    components: componentsJson(context),
  }));

  readonly summary: PageForm = jsonForm('v2/summary', (context): StatuspageSummaryDto => {
    const { view } = context.page;
    const { page, incidents } = incidentsJson(context, view.incidents.filter(isOpen));
    const { scheduled_maintenances } = maintenancesJson(context, view.maintenance);
    const components = componentsJson(context);
    return { page, components, incidents, scheduled_maintenances, status: OVERALL[view.status] };
  });

  readonly unresolved: PageForm = jsonForm('v2/unresolved', (context) =>
    incidentsJson(context, context.page.view.incidents.filter(isOpen)),
  );

  readonly incidents: PageForm = jsonForm('v2/incidents', async (context) =>
    incidentsJson(context, await this.recentIncidents(context)),
  );

  readonly active: PageForm = jsonForm('v2/active', (context) =>
    maintenancesJson(
      context,
      context.page.view.maintenance.filter(({ active }) => active),
    ),
  );

  readonly upcoming: PageForm = jsonForm('v2/upcoming', (context) =>
    maintenancesJson(
      context,
      context.page.view.maintenance.filter(({ active }) => !active),
    ),
  );

  readonly maintenances: PageForm = jsonForm('v2/maintenances', async (context) =>
    maintenancesJson(context, [...context.page.view.maintenance, ...(await this.pastMaintenance(context))]),
  );

  constructor(
    private readonly incidentReads: IncidentsService,
    private readonly maintenanceReads: AnnouncedMaintenanceService,
  ) {}

  /**
   * Returns the open and the latest resolved incidents, of any age; while the database is away, only those that the page
   * itself shows.
   */
  private async recentIncidents({ page, isLastKnown, recall }: PageContext): Promise<PublicIncidentDto[]> {
    if (isLastKnown) return page.view.incidents;
    const recent = await recall('v2/incidents', async () => {
      const found = await this.incidentReads.about(monitorIdsOf(page), 0, MAX_ENTRIES);
      return found.map((one) => toPublicIncident(one, page.parts));
    });
    return recent ?? [];
  }

  /** Returns completed maintenance, latest first; none while the database is away. */
  private async pastMaintenance({ page, isLastKnown, recall }: PageContext): Promise<PublicMaintenanceDto[]> {
    if (isLastKnown) return [];
    const most = Math.max(0, MAX_ENTRIES - page.view.maintenance.length);
    const past = await recall('v2/maintenances', async () => {
      const period = { fromMs: 0, toMs: Date.parse(page.view.computedAt) };
      const found = await this.maintenanceReads.ended(page.teamId, monitorIdsOf(page), period, most);
      return found.map((one) => toPublicMaintenance(one, page.parts));
    });
    return past ?? [];
  }
}

function monitorIdsOf({ parts }: PageContext['page']): string[] {
  return parts.map(({ monitorId }) => monitorId);
}
