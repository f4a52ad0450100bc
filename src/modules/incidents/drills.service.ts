import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { SYSTEM_ACTOR } from '../../http/auth/actor.js';
import { type TeamId } from '../../http/auth/principal.js';
import { validateBody } from '../../http/body/validation.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { notFound, ProblemException } from '../../http/problems/problem.js';
import { EventLog } from '../events/event-log.service.js';
import { type NewEvent } from '../events/new-event.types.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { shortName } from './detected-records.js';
import { type IncidentDto } from './dto/incident.dto.js';
import { DRILL_SECONDS, StartDrillDto } from './dto/start-drill.dto.js';
import { writtenEvents } from './incident-events.js';
import { IncidentMonitor } from './incident-monitor.entity.js';
import { Incident } from './incident.entity.js';
import { IncidentsService } from './incidents.service.js';

/**
 * Messages about drills are not collected, because they must not mix with those about outages: the drills of many
 * monitors at the same time would flood the channels of a team.
 */
const MAX_OPEN = 10;
/** Drills that one transaction ends. */
const BATCH = 100;
const IS_DUE = "kind = 'drill' AND resolved_at IS NULL AND settles_at <= $1";
/** SQL condition: a drill has reached its end by `$1`. */
export const DRILLS_DUE = `EXISTS (SELECT FROM incidents WHERE ${IS_DUE})`;

/** A drill that has not ended. */
export interface OpenDrill {
  id: string;
  /** ISO 8601. */
  endsAt: string;
}

/** Starts and ends drills: incidents without an outage, from which only notifications follow. */
@Injectable()
export class DrillsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly incidents: IncidentsService,
    private readonly monitors: MonitorsService,
    private readonly teams: TeamsService,
    private readonly events: EventLog,
  ) {}

  /** Starts a drill of a monitor. @throws 404, 409 while another one is open, 422 */
  async start(teamId: TeamId, address: string, body: unknown, keep: KeepAnswer = KEEPS_NOTHING): Promise<IncidentDto> {
    const { id: monitorId } = await this.monitors.find(teamId, address);
    const { endAfterSeconds } = validateBody(StartDrillDto, body);
    return this.transactions.run(async (tx) => {
      // Concurrent requests wait here, and then see this drill.
      await this.teams.lock(tx, teamId);
      await assertRoom(tx, teamId, monitorId);
      const name = await nameOf(tx, teamId, monitorId);
      const manager = managerOf(tx);
      const id = uuidv7();
      const now = new Date();
      await manager.insert(Incident, {
        id,
        teamId,
        kind: 'drill',
        title: `Drill: ${shortName(name)}`,
        impact: 'down',
        startedAt: now,
        confirmedAt: now,
        settlesAt: new Date(now.getTime() + (endAfterSeconds ?? DRILL_SECONDS) * 1_000),
        createdAt: now,
        updatedAt: now,
      });
      await manager.insert(IncidentMonitor, { incidentId: id, monitorId, teamId });
      const answer = await this.incidents.shownIn(tx, teamId, id);
      await this.events.record(tx, writtenEvents(teamId, null, answer), now.getTime());
      await keep.in(tx, answer);
      return answer;
    });
  }

  /** Returns the drill of a monitor that has not ended. The caller has verified that the team has the monitor. */
  async openOf(monitorId: string): Promise<OpenDrill | null> {
    const [row]: { id: string; settles_at: Date }[] = await this.dataSource.query(
      `SELECT i.id, i.settles_at FROM incident_monitors im JOIN incidents i ON i.id = im.incident_id
       WHERE im.monitor_id = $1 AND i.kind = 'drill' AND i.resolved_at IS NULL AND i.settles_at IS NOT NULL`,
      [monitorId],
    );
    return row ? { id: row.id, endsAt: row.settles_at.toISOString() } : null;
  }

  /** Ends the drills whose time is over. Several processes may do this at the same time. */
  async endDue(nowMs: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const manager = managerOf(tx);
      const events: NewEvent[] = [];
      const due: { id: string; team_id: TeamId }[] = await manager.query(
        `SELECT id, team_id FROM incidents WHERE ${IS_DUE} ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
        [new Date(nowMs)],
      );
      for (const { id, team_id: teamId } of due) {
        const before = await this.incidents.shownIn(tx, teamId, id);
        const now = new Date(nowMs);
        await manager.update(Incident, { teamId, id }, { resolvedAt: now, settlesAt: null, updatedAt: now });
        const after = await this.incidents.shownIn(tx, teamId, id);
        events.push(...writtenEvents(teamId, before, after).map((event) => ({ ...event, actor: SYSTEM_ACTOR })));
      }
      await this.events.record(tx, events, nowMs);
    });
  }
}

/** @throws 409 if a drill of the monitor is open; 422 if the team has the maximum number of open drills */
async function assertRoom(tx: Tx, teamId: TeamId, monitorId: string): Promise<void> {
  const open: { id: string; monitor_id: string | null }[] = await managerOf(tx).query(
    `SELECT i.id, im.monitor_id FROM incidents i LEFT JOIN incident_monitors im ON im.incident_id = i.id
     WHERE i.team_id = $1 AND i.kind = 'drill' AND i.resolved_at IS NULL`,
    [teamId],
  );
  const same = open.find((one) => one.monitor_id === monitorId);
  if (same) {
    throw new ProblemException(
      409,
      'conflict',
      `This monitor already has an open drill: incident ${same.id}. End it first.`,
    );
  }
  if (open.length < MAX_OPEN) return;
  throw new ProblemException(422, 'limit_reached', `The team can have at most ${MAX_OPEN} open drills. End one first.`);
}

/** Returns the name of a monitor, which cannot be deleted until the transaction ends. @throws 404 */
async function nameOf(tx: Tx, teamId: TeamId, monitorId: string): Promise<string> {
  const [monitor]: { name: string }[] = await managerOf(tx).query(
    'SELECT name FROM monitors WHERE team_id = $1 AND id = $2 FOR KEY SHARE',
    [teamId, monitorId],
  );
  if (!monitor) throw notFound();
  return monitor.name;
}
