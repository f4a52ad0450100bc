import { v5 as uuidv5 } from 'uuid';
import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type PublicMaintenanceDto } from '../dto/public-maintenance.dto.js';
import { type PageContext } from '../page-form.js';
import { componentStatus, impactOf, incidentStatus, updatesOf, worstOf } from './statuspage-words.js';
import {
  type StatuspageComponentDto,
  type StatuspageIncidentDto,
  type StatuspageMaintenanceDto,
  type StatuspageMaintenanceStatus,
  type StatuspagePageDto,
  type StatuspageUpdateDto,
} from './statuspage.dto.js';

type Context = Pick<PageContext, 'page' | 'address'>;

/** Returns the id of a page in this format. A separate one, because the page's own is part of the API of the team. */
function pageIdOf({ page }: Context): string {
  return uuidv5('statuspage', page.id);
}

export function pageJson(context: Context): StatuspagePageDto {
  const { page, address } = context;
  const { components, incidents, maintenance, name, timezone } = page.view;
  const times = [
    page.updatedAt.toISOString(),
    ...components.map(({ since }) => since),
    ...incidents.map(lastChangeOf),
    ...maintenance.map(({ updatedAt }) => updatedAt),
  ];
  return { id: pageIdOf(context), name, url: address.url(), time_zone: timezone, updated_at: latest(times) };
}

/** Returns the components in their order, each group before its first component. */
export function componentsJson(context: Context): StatuspageComponentDto[] {
  const { page } = context;
  const made = new Map<string, StatuspageComponentDto>();
  for (const { id, name, description, group, status, since, days } of page.view.components) {
    const common = { created_at: page.createdAt.toISOString(), start_date: null, page_id: pageIdOf(context) };
    const groupId = group === null ? null : uuidv5(`group/${group}`, page.id);
    const component: StatuspageComponentDto = {
      id,
      name,
      status: componentStatus(status),
      updated_at: since,
      position: 0,
      description,
      showcase: days !== null,
      group_id: groupId,
      group: false,
      only_show_if_degraded: false,
      ...common,
    };
    if (groupId !== null) {
      const known = made.get(groupId);
      const whole = { ...component, id: groupId, name: group!, description: null, showcase: false, group_id: null };
      const sum = known ?? { ...whole, group: true, components: [] };
      sum.components!.push(id);
      sum.status = worstOf([sum.status, component.status]);
      sum.updated_at = latest([sum.updated_at, since]);
      if (!known) made.set(groupId, sum);
    }
    made.set(id, component);
  }
  return [...made.values()].map((one, index) => ({ ...one, position: index + 1 }));
}

export function incidentJson(context: Context, incident: PublicIncidentDto): StatuspageIncidentDto {
  const { address } = context;
  const { id, title, impact, startedAt, resolvedAt, componentIds, updates } = incident;
  return {
    id,
    name: title,
    status: incidentStatus(incident),
    created_at: startedAt,
    updated_at: lastChangeOf(incident),
    monitoring_at: updates.find(({ phase }) => phase === 'monitoring')?.at ?? null,
    resolved_at: resolvedAt,
    impact: impactOf(impact),
    shortlink: address.url(address.incident(id)),
    started_at: startedAt,
    page_id: pageIdOf(context),
    incident_updates: updatesOf(incident).map((update) => updateJson(id, update)),
    components: componentsOf(context, componentIds),
  };
}

/** Returns a period of maintenance. Its id is the one of the entry in the feed, because a window may have many. */
export function maintenanceJson(context: Context, one: PublicMaintenanceDto): StatuspageMaintenanceDto {
  const { page, address } = context;
  const { id: windowId, name, description, startsAt, endsAt, updatedAt, componentIds } = one;
  const id = uuidv5(`${windowId}/${startsAt}`, page.id);
  const status = maintenanceStatus(one, page.view.computedAt);
  const steps: { status: StatuspageMaintenanceStatus; at: string; body: string }[] = [
    { status: 'scheduled', at: updatedAt < startsAt ? updatedAt : startsAt, body: description ?? name },
  ];
  if (status !== 'scheduled') {
    steps.push({ status: 'in_progress', at: startsAt, body: 'Scheduled maintenance is currently in progress.' });
  }
  if (status === 'completed') {
    steps.push({ status: 'completed', at: endsAt, body: 'The scheduled maintenance has been completed.' });
  }
  return {
    id,
    name,
    status,
    created_at: steps[0]!.at,
    updated_at: latest([updatedAt, steps.at(-1)!.at]),
    monitoring_at: null,
    resolved_at: status === 'completed' ? endsAt : null,
    impact: 'maintenance',
    shortlink: status === 'completed' ? address.url(address.history) : `${address.url()}#maintenance-${windowId}`,
    started_at: startsAt,
    page_id: pageIdOf(context),
    incident_updates: steps.map((step) => updateJson(id, step)).reverse(),
    components: componentsOf(context, componentIds),
    scheduled_for: startsAt,
    scheduled_until: endsAt,
  };
}

function maintenanceStatus(one: PublicMaintenanceDto, now: string): StatuspageMaintenanceStatus {
  if (one.active) return 'in_progress';
  return one.endsAt <= now ? 'completed' : 'scheduled';
}

interface Step {
  status: StatuspageUpdateDto['status'];
  at: string;
  body: string;
}

function updateJson(incidentId: string, { status, at, body }: Step): StatuspageUpdateDto {
  return {
    id: uuidv5(`${status}/${at}`, incidentId),
    status,
    body,
    incident_id: incidentId,
    created_at: at,
    updated_at: at,
    display_at: at,
    affected_components: null,
    deliver_notifications: false,
    custom_tweet: null,
    tweet_id: null,
  };
}

function componentsOf(context: Context, ids: readonly string[]): StatuspageComponentDto[] {
  return componentsJson(context).filter(({ id }) => ids.includes(id));
}

function lastChangeOf({ startedAt, resolvedAt, updates }: PublicIncidentDto): string {
  return latest([startedAt, resolvedAt ?? startedAt, ...updates.map(({ at }) => at)]);
}

/** Returns the latest of some times, which are texts of the same form. */
function latest(times: readonly string[]): string {
  return times.reduce((one, other) => (one > other ? one : other));
}
