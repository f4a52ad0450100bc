import { type CheckError } from '../../domain/check-result.js';
import { nextSlotAfter, phaseMs } from '../../domain/schedule.js';
import { type JsonObject } from '../../http/body/json.js';
import { probeOf } from '../../probes/index.js';
import { MASK, mapSecrets } from './definition/definition-secrets.js';
import { type MonitorStatus, type MonitorStatusDto } from './dto/monitor.dto.js';
import { type MonitorState } from './state/monitor-state.entity.js';
import { type Monitor } from './definition/monitor.entity.js';
import { TYPE_FIELDS } from './definition/monitor-fields.js';

/** A monitor with what is known of it now. */
export interface MonitorView {
  monitor: Monitor;
  state: Pick<MonitorState, 'status' | 'verifying' | 'statusSince'>;
  lastCheckAt: Date | null;
  lastError: CheckError | null;
}

/** A monitor as the API answers it: the definition, and what the service adds. */
export type MonitorDto = MonitorStatusDto & JsonObject;

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/**
 * The writable fields alone, secrets masked: what a PUT takes back. `addresses`: what to call its parents; one that is
 * not among them has been deleted meanwhile.
 */
export function toDefinitionView(monitor: Monitor, addresses: ReadonlyMap<string, string>, nowMs: number): JsonObject {
  const parentIds = monitor.parentIds.flatMap((id) => addresses.get(id) ?? []);
  return { ...toDefinition(monitor), parentIds, paused: isPaused(monitor, nowMs) };
}

/** Whether a pause runs; one whose end has passed no longer does, though it is still noted. */
export function isPaused({ pausedAt, pausedUntil }: Monitor, nowMs: number): boolean {
  return pausedAt !== null && (pausedUntil === null || pausedUntil.getTime() > nowMs);
}

/** The fields of a definition that can be written at any time, secrets masked. */
export function toDefinition(monitor: Monitor): JsonObject {
  const fields = mapSecrets(probeOf(monitor.type), monitor.definition, () => MASK) as JsonObject;
  return {
    key: monitor.key,
    name: monitor.name,
    description: monitor.description,
    type: monitor.type,
    ...Object.fromEntries([...TYPE_FIELDS.any].map((name) => [name, fields[name] ?? null])),
    intervalSeconds: monitor.intervalSeconds,
    timeoutMs: monitor.timeoutMs,
    degradedAfterMs: monitor.degradedAfterMs,
    failureThreshold: monitor.failureThreshold,
    recoveryThreshold: monitor.recoveryThreshold,
    retryIntervalSeconds: monitor.retryIntervalSeconds,
    locations: monitor.locations,
    quorum: /^\d+$/.test(monitor.quorum) ? Number(monitor.quorum) : monitor.quorum,
    tags: monitor.tags,
    parentIds: monitor.parentIds,
    metadata: monitor.metadata,
    expiresAt: time(monitor.expiresAt),
  };
}

/** @param origin of the application, for links. */
export function toMonitorDto(view: MonitorView, origin: string, nowMs: number): MonitorDto {
  const { monitor, state } = view;
  const pause = shownPause(monitor, state.status, nowMs);
  const intervalMs = monitor.intervalSeconds * 1_000;
  const next = nextSlotAfter(phaseMs(monitor.id, intervalMs), intervalMs, nowMs);
  const status: MonitorStatusDto = {
    id: monitor.id,
    revision: monitor.revision,
    status: state.status as MonitorStatus,
    verifying: state.verifying as MonitorStatusDto['verifying'],
    statusSince: state.statusSince.toISOString(),
    lastCheckAt: time(view.lastCheckAt),
    nextCheckAt: pause.pausedAt ? null : new Date(next).toISOString(),
    lastError: view.lastError,
    pausedAt: time(pause.pausedAt),
    pausedUntil: time(pause.pausedUntil),
    pauseReason: pause.pauseReason,
    resumedAt: time(pause.resumedAt),
    htmlUrl: `${origin}/monitors/${monitor.id}`,
    createdAt: monitor.createdAt.toISOString(),
    updatedAt: monitor.updatedAt.toISOString(),
  };
  const { id, revision, ...rest } = status;
  return { id, revision, ...toDefinition(monitor), ...rest } as unknown as MonitorDto;
}

type Pause = Pick<Monitor, 'pausedAt' | 'pausedUntil' | 'pauseReason' | 'resumedAt'>;

/** The pause beside the shown status: a check may find the end of a pause before it is noted, and tell the state anew. */
function shownPause(monitor: Monitor, status: string, nowMs: number): Pause {
  if (monitor.pausedAt === null || status === 'paused' || isPaused(monitor, nowMs)) return monitor;
  return { pausedAt: null, pausedUntil: null, pauseReason: null, resumedAt: monitor.pausedUntil };
}
