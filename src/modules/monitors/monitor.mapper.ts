import { type CheckError } from '../../domain/check-result.js';
import { nextSlotAfter, phaseMs } from '../../domain/schedule.js';
import { type JsonObject } from '../../http/body/json.js';
import { type ProbeFields, probeOf } from '../../probes/index.js';
import { MASK, mapSecrets } from './definition/definition-secrets.js';
import { type MonitorDefinitionDto } from './dto/monitor-definition.dto.js';
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

/** The definition of a monitor as the API returns it: every field that there is, secrets masked. */
export type MonitorDefinition = Required<MonitorDefinitionDto> & ProbeFields;

/** The writable fields alone: what a PUT accepts. */
export type MonitorDefinitionView = MonitorDefinition & { paused: boolean };

/** A monitor as the API returns it: its definition, and what the service adds. */
export type MonitorDto = MonitorDefinition & MonitorStatusDto;

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/**
 * Returns the writable fields of a monitor. `addresses`: what to call its parents; a parent that is missing there has been
 * deleted meanwhile, and is left out.
 */
export function toDefinitionView(
  monitor: Monitor,
  addresses: ReadonlyMap<string, string>,
  nowMs: number,
): MonitorDefinitionView {
  const parentIds = monitor.parentIds.flatMap((id) => addresses.get(id) ?? []);
  return { ...toDefinition(monitor), parentIds, paused: isPaused(monitor, nowMs) };
}

/** Whether a pause runs; one whose end has passed no longer does, though it is still noted. */
export function isPaused({ pausedAt, pausedUntil }: Monitor, nowMs: number): boolean {
  return pausedAt !== null && (pausedUntil === null || pausedUntil.getTime() > nowMs);
}

/** Returns the fields of a monitor that can be written at any time, secrets masked. */
export function toDefinition(monitor: Monitor): MonitorDefinition {
  return {
    key: monitor.key,
    name: monitor.name,
    description: monitor.description,
    type: monitor.type,
    ...toProbeFields(monitor),
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

/** The stored fields were validated by the class of their type when they were written, which is what makes them that type. */
function toProbeFields({ type, definition }: Monitor): ProbeFields {
  const masked = mapSecrets(probeOf(type), definition, () => MASK) as JsonObject;
  return Object.fromEntries([...TYPE_FIELDS.any].map((name) => [name, masked[name] ?? null])) as object as ProbeFields;
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
  return { id, revision, ...toDefinition(monitor), ...rest };
}

type Pause = Pick<Monitor, 'pausedAt' | 'pausedUntil' | 'pauseReason' | 'resumedAt'>;

/** The pause beside the shown status: a check may find the end of a pause before it is noted, and tell the state anew. */
function shownPause(monitor: Monitor, status: string, nowMs: number): Pause {
  if (monitor.pausedAt === null || status === 'paused' || isPaused(monitor, nowMs)) return monitor;
  return { pausedAt: null, pausedUntil: null, pauseReason: null, resumedAt: monitor.pausedUntil };
}
