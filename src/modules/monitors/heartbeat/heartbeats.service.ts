import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { DataSource, type EntityManager } from 'typeorm';
import { SecretBox } from '../../../database/secret-box.js';
import { managerOf, type Tx } from '../../../database/tx.js';
import { isUniqueViolation } from '../../../database/unique-violation.js';
import { type Assertion } from '../../../domain/assertions.js';
import { judge, type ProbeOutcome } from '../../../domain/check-result.js';
import { groupBy } from '../../../domain/group-by.js';
import {
  afterDeadline,
  afterReport,
  type Deadline,
  type HeartbeatRule,
  type HeartbeatState,
  type OpenRun,
  underRule,
} from '../../../domain/heartbeat/heartbeat.js';
import { dueAfterReport } from '../../../domain/heartbeat/heartbeat-schedule.js';
import { validationFailed } from '../../../http/problems/problem.js';
import { evaluateAlone } from '../../../probes/evaluation.js';
import { awaitsReports, probeOf } from '../../../probes/index.js';
import { judgeAssertions } from '../../../probes/verdict.js';
import { LATE_LIMIT_MS } from '../state/monitor-states.service.js';
import {
  type AnsweredDeadlines,
  type Heard,
  type HeartbeatResult,
  type HeartbeatTarget,
  type PassedDeadline,
} from './ping.types.js';

/** A report that is recorded later than this after it was received may belong to a deadline that counts as missed. */
export const LATE_AFTER_MS = 1_000;
/** The end of a run refers to a start that is at most this old. */
const LONGEST_RUN = '8 days';
/** Monitors per query. */
const PAGE = 5_000;
const TOKENS = 'heartbeat-token';
/** SQL condition: monitor `m` is not paused, or its pause is over. */
const IS_ACTIVE = '(m.paused_at IS NULL OR m.paused_until <= now())';

interface HeartbeatRecord extends StateRecord {
  monitor_id: string;
  type: string;
  definition: object;
  degraded_after_ms: number | null;
}

interface StateRecord {
  due_at: Date | null;
  deadline_at: Date | null;
  deadline_code: Deadline['code'] | null;
  started_at: Date | null;
  open_runs: StoredRun[];
  last_ping_at: Date | null;
}

/** The id of an open run and its start in epoch milliseconds, as they are stored. */
type StoredRun = [id: string | null, startedAt: number];

interface Listener {
  rule: HeartbeatRule;
  assertions: readonly Assertion[];
  degradedAfterMs: number | null;
  state: HeartbeatState;
}

/** Owns what monitors that wait for reports expect next. */
@Injectable()
export class HeartbeatsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly box: SecretBox,
  ) {}

  /** Returns the keyed hash by which a token is found. */
  macOf(token: string): Buffer {
    return this.box.hmac(TOKENS, token);
  }

  /**
   * Records the token of a monitor that was created or changed in this transaction, if its type has one.
   * @throws 422 if another monitor has it
   */
  async noteToken(tx: Tx, { id, type, token }: { id: string; type: string; token: unknown }): Promise<void> {
    if (!awaitsReports(type) || typeof token !== 'string') return;
    const stored = managerOf(tx).query(
      `INSERT INTO heartbeats (monitor_id, token_mac) VALUES ($1, $2)
       ON CONFLICT (monitor_id) DO UPDATE SET token_mac = excluded.token_mac`,
      [id, this.macOf(token)],
    );
    await stored.catch((error: unknown) => {
      if (!isUniqueViolation(error, 'heartbeats_token')) throw error;
      const detail = 'This token cannot be used. Choose another one.';
      throw validationFailed([{ pointer: '/token', code: 'invalid_value', detail }]);
    });
  }

  /**
   * Applies a changed rule to a locked monitor, unless nothing was reported yet. Another schedule begins at `nowMs`;
   * otherwise, what is expected remains, with the new grace or limit.
   */
  async applyRule(tx: Tx, monitorId: string, before: HeartbeatRule, rule: HeartbeatRule, nowMs: number): Promise<void> {
    const manager = managerOf(tx);
    const rows: StateRecord[] = await manager.query(
      `SELECT due_at, deadline_at, deadline_code, started_at, open_runs, last_ping_at FROM heartbeats
       WHERE monitor_id = $1 AND last_ping_at IS NOT NULL FOR UPDATE`,
      [monitorId],
    );
    for (const row of rows) {
      const isSame = isDeepStrictEqual(before.schedule, rule.schedule);
      const { deadline, runs } = isSame ? underRule(stateIn(row), rule, nowMs) : afterDeadline(rule, [], nowMs);
      await manager.query(
        `UPDATE heartbeats SET due_at = $2, deadline_at = $3, deadline_code = $4, open_runs = $5 WHERE monitor_id = $1`,
        [monitorId, ...columnsOf(deadline), stored(runs)],
      );
    }
  }

  /**
   * Applies reports, and deadlines at which none arrived, to monitors that are locked. Returns the results to store as
   * checks: of reports that end a run, with its duration, and of deadlines that are still open. Other results pass.
   */
  async hear<R extends HeartbeatResult>(tx: Tx, results: readonly R[], nowMs: number): Promise<Heard<R>> {
    const own = results.filter(({ trigger }) => trigger === 'heartbeat');
    if (own.length === 0) return { checks: results, answered: [] };
    const manager = managerOf(tx);
    const listeners = await readListeners(manager, [...new Set(own.map(({ monitorId }) => monitorId))]);
    // Mutable, because a run may start and end in the same batch.
    const starts = await readStarts(manager, own);
    const answered: AnsweredDeadlines[] = [];
    const reports: R[] = [];
    const checks: R[] = results.filter(({ trigger }) => trigger !== 'heartbeat');
    for (const [monitorId, some] of groupBy(own, (result) => result.monitorId)) {
      const listener = listeners.get(monitorId);
      if (!listener) continue;
      for (const result of inOrder(some)) {
        if (result.ping) {
          const isLate = result.checkedAt < nowMs - LATE_AFTER_MS;
          if (isLate && result.ping.kind !== 'log')
            answered.push(...answeredBy(result, listener.rule, starts, nowMs - LATE_LIMIT_MS));
          const report = applied(result, listener, starts);
          reports.push(report);
          if (endsRun(report)) checks.push(report);
        } else if (result.scheduledAt === listener.state.deadline?.dueMs) {
          const fromMs = result.status === 'unknown' ? nowMs : result.scheduledAt;
          const { state, rule } = listener;
          listener.state = { ...state, ...afterDeadline(rule, state.runs, fromMs), startedAt: null };
          checks.push(result);
        }
      }
    }
    await writePings(manager, reports);
    await writeListeners(manager, listeners);
    return { checks, answered };
  }

  /** Yields the id and revision of every monitor that waits for reports, in pages. */
  async *revisions(): AsyncGenerator<readonly { id: string; revision: number }[]> {
    for (let after: string | null = null; ;) {
      const rows: { id: string; revision: number }[] = await this.dataSource.query(
        `SELECT m.id, m.revision FROM heartbeats h JOIN monitors m ON m.id = h.monitor_id
         WHERE $1::uuid IS NULL OR h.monitor_id > $1 ORDER BY h.monitor_id LIMIT $2`,
        [after, PAGE],
      );
      yield rows;
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.id;
    }
  }

  /** Returns these monitors, without those that do not exist. */
  async targets(ids: readonly string[]): Promise<HeartbeatTarget[]> {
    const targets: HeartbeatTarget[] = [];
    for (let from = 0; from < ids.length; from += PAGE) {
      targets.push(...(await this.targetsWhere('h.monitor_id = ANY($1::uuid[])', [ids.slice(from, from + PAGE)])));
    }
    return targets;
  }

  /** Returns the monitors whose tokens have these keyed hashes, in base64. */
  targetsOfMacs(macs: readonly string[]): Promise<HeartbeatTarget[]> {
    return this.targetsWhere('h.token_mac = ANY($1::bytea[])', [macs.map((mac) => Buffer.from(mac, 'base64'))]);
  }

  /** Returns the monitors that have these keys in these teams. */
  targetsOfKeys(named: readonly { teamId: string; key: string }[]): Promise<HeartbeatTarget[]> {
    return this.targetsWhere('(m.team_id, m.key) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))', [
      named.map(({ teamId }) => teamId),
      named.map(({ key }) => key),
    ]);
  }

  private async targetsWhere(condition: string, parameters: unknown[]): Promise<HeartbeatTarget[]> {
    const rows: TargetRecord[] = await this.dataSource.query(
      `SELECT m.id, m.team_id, m.key, m.revision, h.token_mac, m.failure_threshold, m.recovery_threshold,
              m.definition -> 'settings' -> 'methods' AS methods,
              m.definition -> 'settings' ->> 'failWhenBodyMatches' AS pattern
       FROM heartbeats h JOIN monitors m ON m.id = h.monitor_id WHERE ${condition}`,
      parameters,
    );
    return rows.map((row) => ({
      monitorId: row.id,
      teamId: row.team_id,
      revision: row.revision,
      mac: row.token_mac.toString('base64'),
      key: row.key,
      failureThreshold: row.failure_threshold,
      recoveryThreshold: row.recovery_threshold,
      methods: row.methods,
      failWhenBodyMatches: row.pattern,
    }));
  }

  /** Returns the first deadline of all monitors that are not paused, in epoch milliseconds; `null` if there is none. */
  async firstDeadline(): Promise<number | null> {
    const [first]: { deadline_at: Date }[] = await this.dataSource.query(
      `SELECT h.deadline_at FROM heartbeats h JOIN monitors m ON m.id = h.monitor_id
       WHERE h.deadline_at IS NOT NULL AND ${IS_ACTIVE} ORDER BY h.deadline_at LIMIT 1`,
    );
    return first?.deadline_at.getTime() ?? null;
  }

  /** Returns deadlines that passed before `beforeMs`, the oldest first, except those of paused monitors. */
  async passed(beforeMs: number, limit: number): Promise<PassedDeadline[]> {
    const rows: (HeartbeatRecord & PlanRecord)[] = await this.dataSource.query(
      // A pause may have ended before its end is recorded. Both times may be null.
      `SELECT h.monitor_id, h.due_at, h.deadline_at, h.deadline_code, h.open_runs, m.team_id, m.revision, m.type, m.definition,
              m.failure_threshold, m.recovery_threshold, greatest(m.resumed_at, m.paused_until) AS resumed_at
       FROM heartbeats h JOIN monitors m ON m.id = h.monitor_id
       WHERE h.deadline_at < $1 AND ${IS_ACTIVE} ORDER BY h.deadline_at LIMIT $2`,
      [new Date(beforeMs), limit],
    );
    return rows.map((row) => ({
      monitorId: row.monitor_id,
      teamId: row.team_id,
      revision: row.revision,
      failureThreshold: row.failure_threshold,
      recoveryThreshold: row.recovery_threshold,
      rule: ruleOf(row.type, row.definition),
      runs: runsIn(row),
      resumedAt: row.resumed_at?.getTime() ?? null,
      ...deadlineIn(row)!,
    }));
  }

  /**
   * Passes over deadlines at which no report was expected. Each continues with the first due time after `nowMs`, unless
   * a report was recorded meanwhile.
   */
  async passOver(tx: Tx, deadlines: readonly PassedDeadline[], nowMs: number): Promise<void> {
    const next = deadlines.map(({ rule, runs }) => afterDeadline(rule, runs, nowMs));
    const columns = next.map(({ deadline }) => columnsOf(deadline));
    await managerOf(tx).query(
      `UPDATE heartbeats h SET due_at = t.due_at, deadline_at = t.deadline_at, deadline_code = t.code,
         open_runs = t.open_runs
       FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::jsonb[], $7::jsonb[])
         AS t (monitor_id, passed, due_at, deadline_at, code, open_runs, known_runs)
       WHERE h.monitor_id = t.monitor_id AND h.due_at = t.passed AND h.open_runs = t.known_runs`,
      [
        deadlines.map(({ monitorId }) => monitorId),
        deadlines.map(({ dueMs }) => new Date(dueMs)),
        ...[0, 1, 2].map((at) => columns.map((one) => one[at])),
        next.map(({ runs }) => stored(runs)),
        deadlines.map(({ runs }) => stored(runs)),
      ],
    );
  }
}

interface TargetRecord {
  id: string;
  team_id: string;
  key: string | null;
  revision: number;
  token_mac: Buffer;
  failure_threshold: number;
  recovery_threshold: number;
  methods: string[];
  pattern: string | null;
}

interface PlanRecord {
  team_id: string;
  revision: number;
  failure_threshold: number;
  recovery_threshold: number;
  resumed_at: Date | null;
}

function ruleOf(type: string, definition: object): HeartbeatRule {
  return probeOf(type)!.awaits!(definition);
}

/** Reports come first, because a deadline counts as missed only if none of them belongs to it. */
function inOrder<R extends HeartbeatResult>(results: readonly R[]): R[] {
  return [...results].sort(
    (a, b) => Number(b.ping !== undefined) - Number(a.ping !== undefined) || a.checkedAt - b.checkedAt,
  );
}

/** Applies a report. Returns its result, with the duration of the run that it ends. */
function applied<R extends HeartbeatResult>(result: R, listener: Listener, starts: Map<string, number>): R {
  const { monitorId, checkedAt, ping } = result;
  const { kind, runId } = ping!;
  const { state, rule, assertions, degradedAfterMs } = listener;
  const isOld = state.lastPingAt !== null && checkedAt < state.lastPingAt;
  const startedAt = runId === null ? (isOld ? null : state.startedAt) : starts.get(runKey(monitorId, runId));
  listener.state = afterReport(state, rule, { kind, runId, atMs: checkedAt });
  if (kind === 'start' && runId !== null) starts.set(runKey(monitorId, runId), checkedAt);
  if (!endsRun(result)) return result;
  const durationMs = ping!.durationMs ?? (startedAt == null ? null : Math.max(0, checkedAt - startedAt));
  const outcome = asserted({ ...result.outcome, responseTimeMs: durationMs }, assertions);
  return { ...result, outcome, ping: { ...ping, durationMs }, status: judge(outcome, degradedAfterMs) };
}

/** Returns the outcome of a report with its assertions evaluated, unless the job has failed anyway. */
function asserted(outcome: ProbeOutcome, assertions: readonly Assertion[]): ProbeOutcome {
  if (outcome.error || assertions.length === 0) return outcome;
  const { responseTimeMs: durationMs } = outcome;
  const facts = { runSeconds: durationMs === null ? null : durationMs / 1_000 };
  const { failed, error } = judgeAssertions(assertions, facts, evaluateAlone);
  return { ...outcome, error, failedAssertions: failed };
}

function endsRun({ ping }: HeartbeatResult): boolean {
  return ping !== undefined && ping.kind !== 'start' && ping.kind !== 'log';
}

function runKey(monitorId: string, runId: string): string {
  return `${monitorId}/${runId}`;
}

/**
 * Returns the deadlines that a report answers, also those at which it could not be seen. Those before `finalMs` remain
 * missed, because their states are final.
 */
function answeredBy(
  { monitorId, checkedAt, ping }: HeartbeatResult,
  { schedule, graceMs, maxRunMs }: HeartbeatRule,
  starts: ReadonlyMap<string, number>,
  finalMs: number,
): AnsweredDeadlines[] {
  const fromMs = Math.max(checkedAt - graceMs, finalMs);
  const toMs = dueAfterReport(schedule, checkedAt);
  const missed: AnsweredDeadlines = { monitorId, code: 'heartbeat_missed', fromMs, toMs };
  if (maxRunMs === null) return [missed, { ...missed, code: 'checker_error' }];
  // There is no grace, and a run that started after the report is another one.
  const runFromMs = Math.max(checkedAt, finalMs);
  const runToMs = checkedAt + maxRunMs;
  const runs: AnsweredDeadlines = { monitorId, code: 'run_too_long', fromMs: runFromMs, toMs: runToMs };
  const { runId } = ping!;
  const startedAt = runId === null ? null : starts.get(runKey(monitorId, runId));
  if (startedAt != null) {
    runs.toMs = startedAt + maxRunMs + 1;
    runs.fromMs = Math.max(runFromMs, runs.toMs - 1);
  }
  return [
    missed,
    // A run that is named answers only for itself.
    ...(startedAt === undefined ? [] : [runs]),
    { ...missed, code: 'checker_error', toMs: Math.min(toMs ?? Infinity, runToMs) },
  ];
}

function runsIn({ open_runs: runs }: StateRecord): OpenRun[] {
  return runs.map(([id, startedAt]) => ({ id, startedAt }));
}

function stored(runs: readonly OpenRun[]): string {
  return JSON.stringify(runs.map(({ id, startedAt }): StoredRun => [id, startedAt]));
}

function stateIn(row: StateRecord): HeartbeatState {
  return {
    deadline: deadlineIn(row),
    startedAt: row.started_at?.getTime() ?? null,
    runs: runsIn(row),
    lastPingAt: row.last_ping_at?.getTime() ?? null,
  };
}

function deadlineIn({ due_at: due, deadline_at: until, deadline_code: code }: StateRecord): Deadline | null {
  return due && until && code ? { dueMs: due.getTime(), untilMs: until.getTime(), code } : null;
}

function columnsOf(deadline: Deadline | null): [Date | null, Date | null, string | null] {
  return deadline ? [new Date(deadline.dueMs), new Date(deadline.untilMs), deadline.code] : [null, null, null];
}

async function readListeners(manager: EntityManager, ids: readonly string[]): Promise<Map<string, Listener>> {
  const rows: HeartbeatRecord[] = await manager.query(
    `SELECT h.*, m.type, m.definition, m.degraded_after_ms FROM heartbeats h JOIN monitors m ON m.id = h.monitor_id
     WHERE h.monitor_id = ANY($1::uuid[])`,
    [ids],
  );
  return new Map(
    rows.map((row) => [
      row.monitor_id,
      {
        rule: ruleOf(row.type, row.definition),
        assertions: (row.definition as { assertions?: Assertion[] }).assertions ?? [],
        degradedAfterMs: row.degraded_after_ms,
        state: stateIn(row),
      },
    ]),
  );
}

/** Returns when the runs started that these reports name, by monitor and run. */
async function readStarts(manager: EntityManager, results: readonly HeartbeatResult[]): Promise<Map<string, number>> {
  const named = results.filter(({ ping }) => ping && ping.runId !== null && ping.kind !== 'log');
  if (named.length === 0) return new Map();
  const rows: { monitor_id: string; run_id: string; started_at: Date }[] = await manager.query(
    `SELECT p.monitor_id, p.run_id, max(p.received_at) AS started_at
     FROM unnest($1::uuid[], $2::text[]) AS t (monitor_id, run_id)
     JOIN pings p ON p.monitor_id = t.monitor_id AND p.run_id = t.run_id
     WHERE p.kind = 'start' AND p.received_at > now() - interval '${LONGEST_RUN}' GROUP BY 1, 2`,
    [named.map(({ monitorId }) => monitorId), named.map(({ ping }) => ping!.runId)],
  );
  return new Map(rows.map((row) => [runKey(row.monitor_id, row.run_id), row.started_at.getTime()]));
}

async function writePings(manager: EntityManager, pings: readonly HeartbeatResult[]): Promise<void> {
  if (pings.length === 0) return;
  await manager.query(
    `INSERT INTO pings (monitor_id, received_at, attempt, kind, run_id, exit_status, duration_ms, method, body)
     SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::text[], $5::text[], $6::smallint[], $7::float8[],
       $8::text[], $9::text[])
     ON CONFLICT DO NOTHING`,
    [
      pings.map(({ monitorId }) => monitorId),
      pings.map(({ checkedAt }) => new Date(checkedAt)),
      pings.map(({ attempt }) => attempt),
      pings.map(({ ping }) => ping!.kind),
      pings.map(({ ping }) => ping!.runId),
      pings.map(({ ping }) => ping!.exitStatus),
      pings.map(({ ping }) => ping!.durationMs),
      pings.map(({ ping }) => ping!.method),
      pings.map(({ ping }) => ping!.body),
    ],
  );
}

async function writeListeners(manager: EntityManager, listeners: ReadonlyMap<string, Listener>): Promise<void> {
  const states = [...listeners.values()].map(({ state }) => state);
  const deadlines = states.map(({ deadline }) => columnsOf(deadline));
  const time = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
  await manager.query(
    `UPDATE heartbeats h SET due_at = t.due_at, deadline_at = t.deadline_at, deadline_code = t.code,
       started_at = t.started_at, last_ping_at = t.last_ping_at, open_runs = t.open_runs
     FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::text[], $5::timestamptz[], $6::timestamptz[],
       $7::jsonb[]) AS t (monitor_id, due_at, deadline_at, code, started_at, last_ping_at, open_runs)
     WHERE h.monitor_id = t.monitor_id`,
    [
      [...listeners.keys()],
      ...[0, 1, 2].map((column) => deadlines.map((columns) => columns[column])),
      states.map(({ startedAt }) => time(startedAt)),
      states.map(({ lastPingAt }) => time(lastPingAt)),
      states.map(({ runs }) => stored(runs)),
    ],
  );
}
