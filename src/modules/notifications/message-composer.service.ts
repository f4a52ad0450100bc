import { Injectable } from '@nestjs/common';
import { type MessageFacts, type MessageLocation } from '../../channels/message.js';
import { AppConfig } from '../../config/app-config.js';
import { SecretBox } from '../../database/secret-box.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { failureWords } from '../../domain/assertion-words.js';
import { type Assertion } from '../../domain/assertions.js';
import { type FailedAssertion } from '../../domain/check-result.js';
import { isProbablyCommonCause } from '../../domain/notification-plan/common-cause.js';
import { closedAt, FALLBACK_STEP } from '../../domain/notification-plan/facts.js';
import { alertKeyOf } from '../../domain/notification-plan/planned.js';
import { type NotifiedEvent } from '../../domain/notification-plan/policy.js';
import { type TeamId } from '../../http/auth/principal.js';
import { locationStandings } from '../monitors/state/location-standings.query.js';
import { acknowledgementToken } from './acknowledgement-token.js';
import { AlertContext } from './alert-context.service.js';
import { AlertStore } from './alert-store.service.js';
import { messageFacts, type MessageMember } from './message-facts.js';
import { type Notification } from './notification.entity.js';
import { type SeenMonitor } from './notification-timer.entity.js';

interface NotifiedRecord extends Pick<Notification, 'kind' | 'note' | 'step'> {
  policy_id: string | null;
  id: string;
  subject_id: string;
  alert_key: string;
  monitors: SeenMonitor[];
}

/** The part of an incident's cause that messages name. */
interface IncidentCause {
  statusCode?: number | null;
  failedAssertions: FailedAssertion[];
}

export interface NamedTeam {
  teamId: TeamId;
  teamName: string;
}

/** The notifications that a message contains. */
export interface MessageContents {
  ids: readonly string[];
  /** The storm alert that the message opens, repeats or resolves. */
  stormKey: string | null;
}

const COMMON_CAUSE_MS = 60_000;
/** Alerts read at once, so that a message about thousands of them does not occupy the main thread. */
const CHUNK = 500;
/** How long the answer to whether many monitors went down at once is used for further messages of a team. */
const WIDESPREAD_MS = 2_000;

/** Composes messages from what is known at the moment they are sent. */
@Injectable()
export class MessageComposer {
  private readonly widespread = new Map<TeamId, { readAt: number; isWidespread: boolean }>();

  constructor(
    private readonly store: AlertStore,
    private readonly context: AlertContext,
    private readonly config: AppConfig,
    private readonly box: SecretBox,
  ) {}

  /** Returns the facts of messages of a team, each with its notifications in their order. */
  async compose(
    tx: Tx,
    { teamId, teamName }: NamedTeam,
    messages: readonly MessageContents[],
    nowMs: number,
  ): Promise<MessageFacts[]> {
    const members = await this.members(
      tx,
      teamId,
      messages.flatMap(({ ids }) => ids),
    );
    const shown: MessageFacts[] = [];
    for (const { ids, stormKey } of messages) {
      const own = ids.flatMap((id) => members.get(id) ?? []);
      const opens = own.some(({ kind, event, isDrill }) => kind === 'trigger' && event === 'down' && !isDrill);
      const isWidespread = opens && (await this.isWidespread(tx, teamId, nowMs));
      const { origin } = this.config;
      const acknowledgeLink = `${origin}/ack/${acknowledgementToken(this.box, ids[0]!)}`;
      shown.push(messageFacts(own, { id: ids[0]!, nowMs, teamName, origin, isWidespread, acknowledgeLink, stormKey }));
    }
    return shown;
  }

  /** Returns the notifications with their alerts, by id. */
  private async members(tx: Tx, teamId: TeamId, ids: readonly string[]): Promise<Map<string, MessageMember>> {
    const rows: NotifiedRecord[] = await managerOf(tx).query(
      `SELECT n.id, n.kind, n.note, n.step, n.policy_id, n.alert_key, t.subject_id, t.monitors FROM notifications n
       JOIN notification_timers t ON t.alert_key = n.alert_key WHERE n.id = ANY($1::uuid[])`,
      [ids],
    );
    const members = new Map<string, MessageMember>();
    for (let from = 0; from < rows.length; from += CHUNK) {
      for (const [id, member] of await this.membersOf(tx, teamId, rows.slice(from, from + CHUNK)))
        members.set(id, member);
    }
    return members;
  }

  private async membersOf(
    tx: Tx,
    teamId: TeamId,
    rows: readonly NotifiedRecord[],
  ): Promise<(readonly [string, MessageMember])[]> {
    const subjects = [...new Set(rows.map((row) => row.subject_id))];
    const histories = await this.store.alerts(
      tx,
      subjects.map((subjectId) => ({ teamId, subjectId })),
    );
    const children = await this.context.children(tx, subjects);
    const evidence = await evidenceOf(tx, subjects);
    const failed = await failedChannels(tx, rows);
    const concerned = [...rows.flatMap((row) => row.monitors), ...[...children.values()].flat()];
    const runbooks = await runbooksOf(tx, concerned);
    const locations = await locationsOf(tx, concerned);
    return rows.flatMap(({ id, kind, note, alert_key: alertKey, subject_id: subjectId, monitors }) => {
      const own = histories.get(subjectId) ?? [];
      const history = own.find(({ episode }) => alertKeyOf({ episode, incidentId: subjectId }) === alertKey);
      if (!history) return [];
      const ended = closedAt(history);
      const isOpening = kind === 'trigger' || kind === 'repeat';
      const all = isOpening ? [...monitors, ...(children.get(subjectId) ?? [])] : monitors;
      const { event, isDrill, incidentId, subject } = history;
      const isAtLocations = FOUND_AT_LOCATIONS.has(event) && !isDrill && ended === null && kind !== 'correction';
      const { condition } = history;
      const member: MessageMember = {
        ...{ kind, note, event, isDrill, incidentId, subject },
        // Several teams may use the same account at a provider, and monitor the same.
        alertKey: condition === null ? alertKey : `${teamId}/${condition}`,
        endedAt: ended === null ? null : new Date(ended).toISOString(),
        evidence: evidence.get(subjectId) ?? NO_EVIDENCE,
        failedChannels: failed.get(id) ?? [],
        monitors: all.map((one) => ({
          ...one,
          runbookUrl: runbooks.get(one.id) ?? null,
          locations: (isAtLocations && locations.get(one.id)) || [],
        })),
      };
      return [[id, member] as const];
    });
  }

  private async isWidespread(tx: Tx, teamId: TeamId, nowMs: number): Promise<boolean> {
    const known = this.widespread.get(teamId);
    if (known && nowMs - known.readAt < WIDESPREAD_MS) return known.isWidespread;
    const rows: { at: Date; monitor_id: string }[] = await managerOf(tx).query(
      `SELECT t.recorded_at AS at, m ->> 'id' AS monitor_id FROM notification_timers t
       CROSS JOIN jsonb_array_elements(t.monitors) AS m
       WHERE t.team_id = $1 AND t.event = 'down' AND NOT t.is_drill AND t.recorded_at >= $2`,
      [teamId, new Date(nowMs - 2 * COMMON_CAUSE_MS)],
    );
    const [count]: { monitors: number }[] = await managerOf(tx).query(
      'SELECT count(*)::int AS monitors FROM monitors WHERE team_id = $1',
      [teamId],
    );
    const outages = rows.map((row) => ({ monitorId: row.monitor_id, at: row.at.getTime() }));
    const isWidespread = isProbablyCommonCause(outages, count!.monitors);
    for (const [id, { readAt }] of this.widespread) if (nowMs - readAt >= WIDESPREAD_MS) this.widespread.delete(id);
    this.widespread.set(teamId, { readAt: nowMs, isWidespread });
    return isWidespread;
  }
}

const NO_EVIDENCE: MessageMember['evidence'] = { statusCode: null, failedAssertion: null };

/** Returns what is stored about the causes of incidents, by id. The assertions are those of the monitors as they are now. */
async function evidenceOf(tx: Tx, incidentIds: readonly string[]): Promise<Map<string, MessageMember['evidence']>> {
  const rows: { id: string; cause: IncidentCause; assertions: Assertion[] | null }[] = await managerOf(tx).query(
    `SELECT DISTINCT ON (i.id) i.id, i.cause, m.definition -> 'assertions' AS assertions FROM incidents i
     LEFT JOIN incident_monitors im ON im.incident_id = i.id LEFT JOIN monitors m ON m.id = im.monitor_id
     WHERE i.id = ANY($1::uuid[]) AND i.kind = 'detected' AND i.cause IS NOT NULL`,
    [incidentIds],
  );
  return new Map(
    rows.map(({ id, cause: { statusCode = null, failedAssertions }, assertions }) => {
      const [failed] = failedAssertions;
      const assertion = failed && assertions?.[failed.index];
      return [id, { statusCode, failedAssertion: assertion ? failureWords(assertion, failed.actual) : null }];
    }),
  );
}

/** Returns the runbooks of the monitors that have one, by the id of the monitor. */
async function runbooksOf(tx: Tx, monitors: readonly SeenMonitor[]): Promise<Map<string, string>> {
  const rows: { id: string; runbook_url: string }[] = await managerOf(tx).query(
    'SELECT id, runbook_url FROM monitors WHERE id = ANY($1::uuid[]) AND runbook_url IS NOT NULL',
    [[...new Set(monitors.map(({ id }) => id))]],
  );
  return new Map(rows.map(({ id, runbook_url: runbookUrl }) => [id, runbookUrl]));
}

/** Events of which locations can see different things. */
const FOUND_AT_LOCATIONS: ReadonlySet<NotifiedEvent> = new Set(['down', 'degraded']);

/** Returns what each location finds about the monitors that are checked from several, by the id of the monitor. */
async function locationsOf(tx: Tx, monitors: readonly SeenMonitor[]): Promise<Map<string, MessageLocation[]>> {
  const standings = await locationStandings(managerOf(tx), [...new Set(monitors.map(({ id }) => id))]);
  return new Map(
    [...standings].map(([id, places]) => [
      id,
      places.map(({ key, name, status }) => ({
        location: key,
        name,
        status: status === 'pending' ? 'unknown' : status,
      })),
    ]),
  );
}

/** Returns the names of the channels that could not be notified, for notifications that stand in for them, by id. */
async function failedChannels(tx: Tx, rows: readonly NotifiedRecord[]): Promise<Map<string, string[]>> {
  const fallbacks = rows.filter(({ kind, step }) => kind === 'trigger' && step === FALLBACK_STEP);
  if (fallbacks.length === 0) return new Map();
  const found: { id: string; names: string[] }[] = await managerOf(tx).query(
    `SELECT t.id, array_agg(DISTINCT c.name ORDER BY c.name) AS names
     FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS t (id, alert_key, policy_id)
     JOIN notifications n ON n.alert_key = t.alert_key AND n.policy_id = t.policy_id AND n.step > 0
       AND (n.channel_failed_at IS NOT NULL
         OR jsonb_path_exists(n.attempts, '$[*] ? (@.outcome == "failed" || @.outcome == "refused")'))
     JOIN notification_channels c ON c.id = n.channel_id GROUP BY t.id`,
    [fallbacks.map(({ id }) => id), fallbacks.map((one) => one.alert_key), fallbacks.map((one) => one.policy_id)],
  );
  return new Map(found.map(({ id, names }) => [id, names]));
}
