import { nextStart, type Schedule } from '../../domain/recurrence.js';
import { type MaintenanceWindowDefinitionDto, type MaintenanceWindowDto } from './dto/maintenance-window.dto.js';
import { type MaintenanceWindow } from './maintenance-window.entity.js';

/** What paths may call the monitors of a window that are still there, by id. */
export type MonitorAddresses = ReadonlyMap<string, string>;

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** `null`: it takes place only when somebody starts it. */
export function scheduleOf({ startsAt, endsAt, timezone, rrule }: MaintenanceWindow): Schedule | null {
  if (!startsAt || !endsAt) return null;
  return { startsAtMs: startsAt.getTime(), endsAtMs: endsAt.getTime(), timezone, rrule };
}

/** Whether it takes place now. The stretch is that of the last pass, which knew when it begins and ends. */
export function isActive({ activeFrom, activeUntil }: MaintenanceWindow, nowMs: number): boolean {
  return activeFrom !== null && activeUntil !== null && activeFrom.getTime() <= nowMs && activeUntil.getTime() > nowMs;
}

/** As a PUT takes it back, here or in another installation: monitors by key where they have one. */
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
  return {
    id: window.id,
    revision: window.revision,
    ...{ key, name, description },
    monitorIds: window.monitorIds.filter((id) => addresses.has(id)),
    ...rest,
    active: isActive(window, nowMs),
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
  };
}

/** When it takes place next: what the last pass found, unless that has begun since. */
export function nextStartsAt(window: MaintenanceWindow, nowMs: number): Date | null {
  const { nextStartsAt: stored } = window;
  if (stored === null || stored.getTime() > nowMs) return stored;
  const schedule = scheduleOf(window);
  const next = schedule && nextStart(schedule, nowMs);
  return next === null ? null : new Date(next);
}
