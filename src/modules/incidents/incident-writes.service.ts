import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { leavesAsIs } from '../../database/leaves-as-is.js';
import { managerOf, Transactions, type Tx } from '../../database/tx.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { type IfMatch, UNCONDITIONAL } from '../../http/items/if-match.decorator.js';
import { type TeamId } from '../../http/auth/principal.js';
import { notFound, ProblemException } from '../../http/problems/problem.js';
import { expectNoFields, readObject, validateBody } from '../../http/body/validation.js';
import { MonitorSelectionService } from '../monitors/definition/monitor-selection.service.js';
import { EventLog } from '../events/event-log.service.js';
import { TeamLimits } from '../teams/team-limits.service.js';
import { acknowledge, isInEffect, NOT_ACKNOWLEDGED } from './acknowledgement.js';
import { endOfDrill } from './drill-end.js';
import { type IncidentDto, READ_ONLY_FIELDS } from './dto/incident.dto.js';
import { AcknowledgeIncidentDto, CreateIncidentDto, WriteIncidentUpdateDto } from './dto/write-incident.dto.js';
import { assertAudience, isPublic, isSentToSubscribers } from './incident-audience.js';
import { IncidentMonitor } from './incident-monitor.entity.js';
import { writtenEvents } from './incident-events.js';
import { assertEndKept, assertInOrder, DEFAULT_IMPACT, judgePatch, timesOf } from './incident-patch.js';
import { endAfter, momentOfWrite } from './incident-phase.js';
import { IncidentUpdate } from './incident-update.entity.js';
import { Incident } from './incident.entity.js';
import { IncidentsService } from './incidents.service.js';

const MAX_UPDATES = 200;

/** An acknowledgement that was given or withdrawn elsewhere. */
export interface RemoteAcknowledgement {
  type: 'acknowledge' | 'unacknowledge';
  note: string;
  /** When that happened. */
  atMs: number;
}

/** Performs the writes of callers, each in one transaction that also reads the response. */
@Injectable()
export class IncidentWritesService {
  constructor(
    private readonly incidents: IncidentsService,
    private readonly transactions: Transactions,
    private readonly selections: MonitorSelectionService,
    private readonly limits: TeamLimits,
    private readonly events: EventLog,
  ) {}

  /** Creates a manual incident. @throws 422 */
  async create(teamId: TeamId, author: string, body: unknown, keep: KeepAnswer = KEEPS_NOTHING): Promise<IncidentDto> {
    const dto = validateBody(CreateIncidentDto, body, { readOnly: READ_ONLY_FIELDS });
    const now = new Date();
    const times = timesOf(dto, now);
    const first = { kind: 'manual', resolvedAt: times.resolvedAt };
    if (dto.update) assertAudience('manual', dto.update, '/update');
    if (dto.update) times.resolvedAt = endAfter(dto.update.phase ?? 'note', first, now, true);
    const { monitorIds } = await this.selections.resolve(teamId, { monitorIds: dto.monitorIds });
    return this.transactions.run(async (tx) => {
      const manager = managerOf(tx);
      const id = uuidv7();
      if (!times.resolvedAt) await this.assertRoom(tx, teamId);
      await manager.insert(Incident, {
        id,
        teamId,
        kind: 'manual',
        title: dto.title,
        ownTitle: true,
        impact: dto.impact ?? DEFAULT_IMPACT,
        ...times,
        createdAt: now,
        updatedAt: now,
      });
      await nameMonitors(tx, teamId, id, monitorIds);
      if (dto.update) await manager.insert(IncidentUpdate, updateOf({ id, kind: 'manual' }, dto.update, author, now));
      const answer = await this.incidents.shownIn(tx, teamId, id);
      const isPublished = dto.update ? isSentToSubscribers('manual', dto.update, first.resolvedAt === null) : false;
      await this.events.record(tx, writtenEvents(teamId, null, answer, isPublished));
      await keep.in(tx, answer);
      return answer;
    });
  }

  /**
   * Merges a patch (RFC 7396) into a manual incident, into the title of a detected one, or into the end of a drill.
   * @throws 404, 412, 422
   */
  async update(teamId: TeamId, address: string, body: unknown, ifMatch: IfMatch = UNCONDITIONAL): Promise<IncidentDto> {
    const found = await this.incidents.find(teamId, address);
    ifMatch.assert(found.revision);
    const judged = judgePatch(found, readObject(body));
    const named = judged.monitorIds && (await this.selections.resolve(teamId, { monitorIds: judged.monitorIds }));
    return this.change(teamId, found.id, ifMatch, async (tx, incident) => {
      const renamed = named !== undefined && !(await namesMonitors(tx, found.id, named.monitorIds));
      if (renamed) {
        await managerOf(tx).delete(IncidentMonitor, { incidentId: found.id });
        await nameMonitors(tx, teamId, found.id, named.monitorIds);
      }
      // Fields that were not sent keep their current values, whatever they were when the patch was validated.
      const { title = incident.title, impact = incident.impact } = judged;
      const { startedAt = incident.startedAt, resolvedAt = incident.resolvedAt } = judged;
      assertEndKept(incident, resolvedAt);
      assertInOrder(startedAt, resolvedAt);
      if (incident.resolvedAt !== null && resolvedAt === null) await this.assertRoom(tx, teamId);
      const ownTitle = incident.ownTitle || title !== incident.title;
      const changes = { title, ownTitle, impact, startedAt, resolvedAt };
      return renamed || !leavesAsIs(incident, changes) ? changes : null;
    });
  }

  /** Resolves an incident now; one that is resolved keeps its end. @throws 404, 422 for a detected one that is open */
  async resolve(teamId: TeamId, address: string): Promise<IncidentDto> {
    const { id } = await this.incidents.find(teamId, address);
    return this.change(teamId, id, UNCONDITIONAL, (_, incident, before) => {
      const resolvedAt = endAfter('resolved', incident, momentOfWrite(before, Date.now()));
      return Promise.resolve(incident.resolvedAt === null ? { resolvedAt } : null);
    });
  }

  /**
   * Records who acknowledged an incident. While that is in effect, later calls do not change who and when, but can
   * replace the note and the expiry.
   * @throws 404, 412, 422
   */
  async acknowledge(
    teamId: TeamId,
    address: string,
    author: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<IncidentDto> {
    const { id, revision } = await this.incidents.find(teamId, address);
    ifMatch.assert(revision);
    const given = validateBody(AcknowledgeIncidentDto, body);
    const changes = (incident: Incident) => acknowledge(incident, author, given, Date.now());
    return this.change(teamId, id, ifMatch, (_, incident) => Promise.resolve(changes(incident)), keep);
  }

  /** Withdraws the acknowledgement of an incident, if there is one. @throws 404, 412, 422 */
  async unacknowledge(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<IncidentDto> {
    const { id, revision } = await this.incidents.find(teamId, address);
    ifMatch.assert(revision);
    expectNoFields(body);
    const changes = ({ acknowledgedAt }: Incident) => (acknowledgedAt === null ? null : NOT_ACKNOWLEDGED);
    return this.change(teamId, id, ifMatch, (_, incident) => Promise.resolve(changes(incident)), keep);
  }

  /**
   * Applies an acknowledgement that was given or withdrawn elsewhere to an open incident. Changes nothing if one was
   * given or withdrawn at the same time or later, because such reports arrive late, out of order and more than once. An
   * acknowledgement that is in effect remains as it is. @throws 404
   */
  follow(teamId: TeamId, id: string, author: string, remote: RemoteAcknowledgement): Promise<IncidentDto> {
    const { type, note } = remote;
    const nowMs = Date.now();
    const atMs = Math.min(remote.atMs, nowMs);
    const work = async (tx: Tx, incident: Incident) => {
      if (incident.resolvedAt !== null || (await isOvertaken(tx, incident, atMs))) return null;
      if (type === 'unacknowledge') return incident.acknowledgedAt === null ? null : NOT_ACKNOWLEDGED;
      return isInEffect(incident, nowMs) ? null : acknowledge(incident, author, { note }, nowMs);
    };
    return this.change(teamId, id, UNCONDITIONAL, work, KEEPS_NOTHING, () => false, atMs);
  }

  /** Adds an update to an incident. @throws 404, 412, 422, 409 if it has the maximum number of updates */
  async tell(
    teamId: TeamId,
    address: string,
    author: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
    keep: KeepAnswer = KEEPS_NOTHING,
  ): Promise<IncidentDto> {
    const { id, kind, revision } = await this.incidents.find(teamId, address);
    ifMatch.assert(revision);
    const dto = validateBody(WriteIncidentUpdateDto, body);
    assertAudience(kind, dto);
    return this.change(
      teamId,
      id,
      ifMatch,
      async (tx, incident, before) => {
        const at = momentOfWrite(before, Date.now());
        const resolvedAt = endAfter(dto.phase ?? 'note', incident, at);
        if (before.updates.length >= MAX_UPDATES) {
          throw new ProblemException(409, 'conflict', `An incident can have at most ${MAX_UPDATES} updates.`);
        }
        await managerOf(tx).insert(IncidentUpdate, updateOf(incident, dto, author, at));
        return { resolvedAt };
      },
      keep,
      ({ resolvedAt }) => isSentToSubscribers(kind, dto, resolvedAt === null),
    );
  }

  /** @throws 422 `limit_reached` if the team may not have another open manual incident */
  private async assertRoom(tx: Tx, teamId: TeamId): Promise<void> {
    const open = { teamId, kind: 'manual', resolvedAt: IsNull() } as const;
    await this.limits.assertRoom(tx, teamId, 'MAX_OPEN_INCIDENTS_PER_TEAM', Incident, open);
  }

  /**
   * Changes a locked incident and increments its revision, unless `work` returns null.
   *
   * @param isPublished whether subscribers of status pages are sent the update that `work` adds
   * @param occurredAtMs when it happened, if that was not now
   */
  private change(
    teamId: TeamId,
    id: string,
    ifMatch: IfMatch,
    work: (tx: Tx, incident: Incident, before: IncidentDto) => Promise<Partial<Incident> | null>,
    keep: KeepAnswer = KEEPS_NOTHING,
    isPublished: (before: IncidentDto) => boolean = () => false,
    occurredAtMs?: number,
  ): Promise<IncidentDto> {
    return this.transactions.run(async (tx) => {
      const manager = managerOf(tx);
      const incident = await manager.findOne(Incident, { where: { teamId, id }, lock: { mode: 'pessimistic_write' } });
      if (!incident) throw notFound();
      ifMatch.assert(incident.revision);
      const before = await this.incidents.shownIn(tx, teamId, id);
      const changes = await work(tx, incident, before);
      if (changes) {
        // What was acknowledged ended with the incident; the new outage still needs somebody.
        const isReopened = incident.resolvedAt !== null && changes.resolvedAt === null;
        const raised = {
          ...changes,
          ...(isReopened && NOT_ACKNOWLEDGED),
          ...endOfDrill(incident, changes),
          revision: incident.revision + 1,
          updatedAt: new Date(),
        };
        await manager.update(Incident, { teamId, id }, raised);
      }
      const answer = await this.incidents.shownIn(tx, teamId, id);
      const events = writtenEvents(teamId, before, answer, isPublished(before));
      await this.events.record(
        tx,
        occurredAtMs === undefined ? events : events.map((event) => ({ ...event, occurredAtMs })),
      );
      await keep.in(tx, answer);
      return answer;
    });
  }
}

function updateOf(
  { id: incidentId, kind }: Pick<Incident, 'id' | 'kind'>,
  dto: WriteIncidentUpdateDto,
  author: string,
  at: Date,
): IncidentUpdate {
  const phase = dto.phase ?? 'note';
  return { id: uuidv7(), incidentId, at, phase, text: dto.text, author, public: isPublic(kind, dto) };
}

/** Returns whether an acknowledgement of an incident was given or withdrawn at this moment or later. */
async function isOvertaken(tx: Tx, { teamId, id }: Incident, atMs: number): Promise<boolean> {
  const found: unknown[] = await managerOf(tx).query(
    `SELECT FROM events WHERE team_id = $1 AND resource_id = $2 AND occurred_at >= $3
       AND type IN ('incident.acknowledged', 'incident.unacknowledged') LIMIT 1`,
    [teamId, id, new Date(atMs)],
  );
  return found.length > 0;
}

/** Returns whether an incident has exactly these monitors. */
async function namesMonitors(tx: Tx, incidentId: string, monitorIds: readonly string[]): Promise<boolean> {
  const rows = await managerOf(tx).findBy(IncidentMonitor, { incidentId });
  const wanted = new Set(monitorIds);
  return rows.length === wanted.size && rows.every(({ monitorId }) => wanted.has(monitorId));
}

/** Stores the monitors of an incident. A monitor that is deleted in the meantime is skipped. */
async function nameMonitors(tx: Tx, teamId: TeamId, incidentId: string, monitorIds: string[]): Promise<void> {
  await managerOf(tx).query(
    `INSERT INTO incident_monitors (incident_id, monitor_id, team_id)
     SELECT $1, id, team_id FROM monitors WHERE team_id = $2 AND id = ANY($3::uuid[]) ORDER BY id FOR KEY SHARE`,
    [incidentId, teamId, monitorIds],
  );
}
