import { Injectable } from '@nestjs/common';
import { type TeamId } from '../../../http/auth/principal.js';
import { type ShownDay } from '../../../html/day-figures.js';
import { CheckResultsService } from '../../checks/check-results.service.js';
import { type CheckDto } from '../../checks/dto/check.dto.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { IncidentsService } from '../../incidents/incidents.service.js';
import { type LocationFigure, LocationFiguresService } from '../../uptime/location-figures.service.js';
import { UptimeService, windowOf } from '../../uptime/uptime.service.js';
import { type PeriodFigure, periodFigures } from './figures.js';
import { shownDays } from './uptime-days.js';

const DAYS = 90;
const CHECKS_SHOWN = 10;
const INCIDENTS_SHOWN = 5;

/** Returns the start of the first day whose uptime is part of the evidence. Epoch milliseconds. */
export function evidenceStart(nowMs: number): number {
  return windowOf({ days: DAYS }, nowMs).fromMs;
}

/** The evidence for the state of a monitor: its uptime, newest checks and incidents. */
export interface Evidence {
  days: readonly ShownDay[];
  /** The uptime of the past day, week, month and quarter. */
  figures: readonly PeriodFigure[];
  checks: readonly CheckDto[];
  incidents: readonly IncidentDto[];
  /** What each location found out, if the monitor has several. */
  locations: readonly LocationFigure[];
  nowMs: number;
}

/** Reads the evidence of one monitor with a few queries by key, however long its history is. */
@Injectable()
export class EvidenceService {
  constructor(
    private readonly results: CheckResultsService,
    private readonly incidents: IncidentsService,
    private readonly uptime: UptimeService,
    private readonly locations: LocationFiguresService,
  ) {}

  /** Returns what each location of a monitor found out, if it has several. */
  locationsOf(id: string, nowMs: number): Promise<LocationFigure[]> {
    return this.locations.of(id, nowMs);
  }

  /** Returns the evidence of a monitor. Throws 404 if the team does not have it. */
  async of(teamId: TeamId, id: string, nowMs: number): Promise<Evidence> {
    const [uptimes, checks, incidents, locations] = await Promise.all([
      this.uptime.times([id], windowOf({ days: DAYS }, nowMs), nowMs),
      this.results.list(teamId, id, { limit: CHECKS_SHOWN }),
      this.incidents.listOf(teamId, id, { limit: INCIDENTS_SHOWN }),
      this.locationsOf(id, nowMs),
    ]);
    const uptime = uptimes.get(id);
    return {
      days: shownDays(uptime?.days ?? []),
      figures: periodFigures(uptime?.segments ?? [], nowMs),
      checks: checks.data,
      incidents: incidents.data,
      locations,
      nowMs,
    };
  }
}
