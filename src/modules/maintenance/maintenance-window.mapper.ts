import { nextStart, type Schedule } from '../../domain/recurrence.js';
import { type MaintenanceWindowDefinitionDto, type MaintenanceWindowDto } from './dto/maintenance-window.dto.js';
import { type MaintenanceWindow } from './maintenance-window.entity.js';

/** Addresses of the monitors of a window by id, without deleted monitors. */
export type MonitorAddresses = ReadonlyMap<string, string>;

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Returns the schedule of a window; `null` if it is active only when it is started manually. */
export function scheduleOf({ startsAt, endsAt, timezone, rrule }: MaintenanceWindow): Schedule | null {
  if (!startsAt || !endsAt) return null;
  return { startsAtMs: startsAt.getTime(), endsAtMs: endsAt.getTime(), timezone, rrule };
}

/** Returns whether a window is active at `nowMs`, by the start and end that the last pass stored. */
export function isActive({ activeFrom, activeUntil }: MaintenanceWindow, nowMs: number): boolean {
  return activeFrom !== null && activeUntil !== null && activeFrom.getTime() <= nowMs && activeUntil.getTime() > nowMs;
}

/**
 * Returns the writable fields, as PUT accepts them. Monitors are listed by key, if any, for use in other installations.
 */
export function toDefinitionDto(
  window: MaintenanceWindow,
  addresses: MonitorAddresses,
): MaintenanceWindowDefinitionDto {
  return { ...fieldsOf(window), monitorIds: window.monitorIds.flatMap((id) => addresses.get(id) ?? []) };
}

export function toWindowDto(
  window: MaintenanceWindow,
  addresses: MonitorAddresses,
  nowMs: number,
): MaintenanceWindowDto {
  const { key, name, description, ...rest } = fieldsOf(window);
  const active = isActive(window, nowMs);
  return {
    id: window.id,
    revision: window.revision,
    key,
    name,
    description,
    monitorIds: window.monitorIds.filter((id) => addresses.has(id)),
    ...rest,
    active,
    activeUntil: active ? time(window.activeUntil) : null,
    nextStartsAt: time(nextStartsAt(window, nowMs)),
    createdAt: window.createdAt.toISOString(),
    updatedAt: window.updatedAt.toISOString(),
  };
}

function fieldsOf(window: MaintenanceWindow): Omit<MaintenanceWindowDefinitionDto, 'monitorIds'> {
  return {
    key: window.key,
    name: window.name,
    description: window.description,
    tags: window.tags,
    startsAt: time(window.startsAt),
    endsAt: time(window.endsAt),
    timezone: window.timezone,
    rrule: window.rrule,
    public: window.public,
    notifySubscribers: window.notifySubscribers,
  };
}

/** Returns the start of the next occurrence: the one that the last pass stored, unless it has begun since. */
export function nextStartsAt(window: MaintenanceWindow, nowMs: number): Date | null {
  const { nextStartsAt: stored } = window;
  if (stored === null || stored.getTime() > nowMs) return stored;
  const schedule = scheduleOf(window);
  const next = schedule && nextStart(schedule, nowMs);
  return next === null ? null : new Date(next);
}
