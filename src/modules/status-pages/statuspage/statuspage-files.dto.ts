import {
  type StatuspageComponentDto,
  type StatuspageIncidentDto,
  type StatuspageMaintenanceDto,
  type StatuspagePageDto,
  type StatuspageStatusDto,
} from './statuspage.dto.js';

export class StatuspageOverallDto {
  page: StatuspagePageDto;

  status: StatuspageStatusDto;
}

export class StatuspageComponentsDto {
  page: StatuspagePageDto;

  components: StatuspageComponentDto[];
}

export class StatuspageIncidentsDto {
  page: StatuspagePageDto;

  incidents: StatuspageIncidentDto[];
}

export class StatuspageMaintenancesDto {
  page: StatuspagePageDto;

  scheduled_maintenances: StatuspageMaintenanceDto[];
}

export class StatuspageSummaryDto {
  page: StatuspagePageDto;

  components: StatuspageComponentDto[];

  /** Unresolved incidents. */
  incidents: StatuspageIncidentDto[];

  /** Scheduled maintenance that is in progress or upcoming. */
  scheduled_maintenances: StatuspageMaintenanceDto[];

  status: StatuspageStatusDto;
}
