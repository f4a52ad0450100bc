import { MASK } from '../../domain/mask.js';
import { type CheckError } from '../../domain/check-result.js';
import { type Confirmation, confirmation, type LocationState } from '../../domain/monitor-state.js';
import { nextSlotAfter, phaseMs } from '../../domain/schedule.js';
import { type JsonObject } from '../../http/body/json.js';
import { awaitsReports, type ProbeFields, probeOf } from '../../probes/index.js';
import { mapSecrets } from '../../domain/secret-members.js';
import {
  type ConfirmingDto,
  type MonitorCertificateDto,
  type MonitorRegistrationDto,
  type MonitorDefinition,
  type MonitorDefinitionView,
  type MonitorDto,
  type MonitorStatus,
  type MonitorStatusDto,
} from './dto/monitor.dto.js';
import { type MonitorState } from './state/monitor-state.entity.js';
import { type Monitor } from './definition/monitor.entity.js';
import { type CHECKING_FIELDS, TYPE_FIELDS } from './definition/monitor-fields.js';

/** A monitor with its current state. */
export interface MonitorView {
  monitor: Monitor;
  state: Pick<MonitorState, 'status' | 'verifying' | 'statusSince'>;
  lastCheckAt: Date | null;
  lastError: CheckError | null;
  /** Its times are as PostgreSQL writes them in JSON. */
  certificate: MonitorCertificateDto | null;
  /** Its times are as PostgreSQL writes them in JSON. */
  registration: MonitorRegistrationDto | null;
  /** The states at its locations, if a change is being confirmed at any of them. */
  unconfirmed: readonly LocationState[];
  /** The locations that are down while the monitor is not. */
  partialOutageLocations: readonly string[];
  /** When the next report is due; null before the first one, and for monitors that check a target. */
  dueAt: Date | null;
  /** Whether anybody is notified when it is down. */
  notified: boolean;
}

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/**
 * Returns the writable fields of a monitor. `addresses` contains the addresses of its parents; a parent that it does
 * not contain has been deleted in the meantime and is omitted.
 */
export function toDefinitionView(
  monitor: Monitor,
  addresses: ReadonlyMap<string, string>,
  nowMs: number,
): MonitorDefinitionView {
  const parentIds = monitor.parentIds.flatMap((id) => addresses.get(id) ?? []);
  return { ...toDefinition(monitor), parentIds, paused: isPaused(monitor, nowMs) };
}

/** Returns whether a monitor is paused. A pause whose end has passed is over, even if its end is not recorded yet. */
export function isPaused({ pausedAt, pausedUntil }: Monitor, nowMs: number): boolean {
  return pausedAt !== null && (pausedUntil === null || pausedUntil.getTime() > nowMs);
}

/** Returns the fields of a monitor that can be written at any time, with secrets masked. */
export function toDefinition(monitor: Monitor): MonitorDefinition {
  const checking = checkingFields(monitor);
  return {
    key: monitor.key,
    name: monitor.name,
    description: monitor.description,
    runbookUrl: monitor.runbookUrl,
    type: monitor.type,
    ...toProbeFields(monitor),
    intervalSeconds: checking.intervalSeconds,
    timeoutMs: checking.timeoutMs,
    degradedAfterMs: monitor.degradedAfterMs,
    failureThreshold: monitor.failureThreshold,
    recoveryThreshold: monitor.recoveryThreshold,
    retryIntervalSeconds: checking.retryIntervalSeconds,
    locations: checking.locations,
    quorum: checking.quorum,
    tags: monitor.tags,
    parentIds: monitor.parentIds,
    metadata: monitor.metadata,
    expiresAt: time(monitor.expiresAt),
  };
}

/** Returns how the target is checked; null for a monitor that waits for reports. */
function checkingFields(monitor: Monitor): Pick<MonitorDefinition, (typeof CHECKING_FIELDS)[number]> {
  if (awaitsReports(monitor.type)) {
    return { intervalSeconds: null, timeoutMs: null, retryIntervalSeconds: null, locations: null, quorum: null };
  }
  return {
    intervalSeconds: monitor.intervalSeconds,
    timeoutMs: monitor.timeoutMs,
    retryIntervalSeconds: monitor.retryIntervalSeconds,
    locations: monitor.locations,
    quorum: /^\d+$/.test(monitor.quorum) ? Number(monitor.quorum) : monitor.quorum,
  };
}

/**
 * Returns the type-specific fields, with the defaults of those that did not exist when the definition was stored. The
 * cast is safe: the probe's class validated them before. Lists map every monitor, so defaults are looked up, not merged.
 */
function toProbeFields({ type, definition }: Monitor): ProbeFields {
  const probe = probeOf(type);
  const defaults = probe?.defaults as JsonObject | undefined;
  const hasSecrets = (probe?.secretPaths(definition) ?? []).length > 0;
  // The copy that masking makes takes as long as everything else here.
  const shown = hasSecrets ? mapSecrets(probe, definition, () => MASK) : definition;
  const fields: Record<string, unknown> = {};
  for (const name of TYPE_FIELDS.any) fields[name] = shown[name] ?? defaults?.[name] ?? null;
  return fields as object as ProbeFields;
}

/** Returns a monitor as the API returns it. `origin` is that of the web application, for links. */
export function toMonitorDto(view: MonitorView, origin: string, nowMs: number): MonitorDto {
  const { monitor, state } = view;
  const pause = shownPause(monitor, state.status, nowMs);
  return {
    id: monitor.id,
    revision: monitor.revision,
    ...toDefinition(monitor),
    status: state.status as MonitorStatus,
    verifying: state.verifying as MonitorStatusDto['verifying'],
    confirming: confirmingOf(view),
    statusSince: state.statusSince.toISOString(),
    lastCheckAt: time(view.lastCheckAt),
    nextCheckAt: pause.pausedAt ? null : nextCheckAt(view, nowMs),
    pingUrl: awaitsReports(monitor.type) ? pingUrl(origin, MASK) : null,
    partialOutageLocations: [...view.partialOutageLocations],
    lastError: view.lastError,
    certificate: view.certificate && toCertificateDto(view.certificate),
    registration: view.registration && toRegistrationDto(view.registration),
    pausedAt: time(pause.pausedAt),
    pausedUntil: time(pause.pausedUntil),
    pauseReason: pause.pauseReason,
    resumedAt: time(pause.resumedAt),
    notified: view.notified,
    htmlUrl: `${origin}/monitors/${monitor.id}`,
    createdAt: monitor.createdAt.toISOString(),
    updatedAt: monitor.updatedAt.toISOString(),
  };
}

/** Returns the address to which a job reports. */
export function pingUrl(origin: string, token: string): string {
  return `${origin}/ping/${token}`;
}

function nextCheckAt({ monitor, dueAt }: MonitorView, nowMs: number): string | null {
  if (awaitsReports(monitor.type)) return time(dueAt);
  const intervalMs = monitor.intervalSeconds * 1_000;
  return new Date(nextSlotAfter(phaseMs(monitor.id, intervalMs), intervalMs, nowMs)).toISOString();
}

/** Returns a time that PostgreSQL wrote in JSON as the API returns it. */
function iso(text: string): string {
  return new Date(text).toISOString();
}

function toCertificateDto(certificate: MonitorCertificateDto): MonitorCertificateDto {
  const { validFrom, validUntil, readAt } = certificate;
  return { ...certificate, validFrom: iso(validFrom), validUntil: iso(validUntil), readAt: iso(readAt) };
}

function toRegistrationDto({ domain, registrar, expiresAt, readAt }: MonitorRegistrationDto): MonitorRegistrationDto {
  return { domain, registrar, expiresAt: expiresAt && iso(expiresAt), readAt: iso(readAt) };
}

/** Returns how far the reported change is confirmed at the location where the fewest results are missing. */
function confirmingOf({ monitor, state, unconfirmed }: MonitorView): ConfirmingDto | null {
  const changes = unconfirmed
    .map((fold) => confirmation(fold, monitor))
    .filter((change) => change !== null && change.to === state.verifying);
  const missing = (change: Confirmation): number => change.needed - change.count;
  const [furthest] = (changes as Confirmation[]).sort((a, b) => missing(a) - missing(b));
  return furthest ? { failures: furthest.count, needed: furthest.needed } : null;
}

type Pause = Pick<Monitor, 'pausedAt' | 'pausedUntil' | 'pauseReason' | 'resumedAt'>;

/**
 * Returns the pause to report with a status. A check may change the status after the end of a pause but before that end
 * is recorded; the pause is then reported as over.
 */
function shownPause(monitor: Monitor, status: string, nowMs: number): Pause {
  if (monitor.pausedAt === null || status === 'paused' || isPaused(monitor, nowMs)) return monitor;
  return { pausedAt: null, pausedUntil: null, pauseReason: null, resumedAt: monitor.pausedUntil };
}
