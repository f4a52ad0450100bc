import { type Impact } from '../incidents/dto/incident.dto.js';
import { type MonitorStatus } from '../monitors/dto/monitor.dto.js';
import { type Theme } from './dto/create-status-page.dto.js';
import { type ComponentDto, type StatusPageDefinitionDto, type StatusPageDto } from './dto/status-page.dto.js';
import { impaired, type PageStatus, pageStatus } from './page-status.js';
import { type PageDefinition } from './page-write.js';
import { type StatusPageComponent } from './status-page-component.entity.js';
import { type StatusPage } from './status-page.entity.js';

/** A page with its components in their order. */
export interface StoredPage {
  page: StatusPage;
  components: StatusPageComponent[];
}

/** The displayed states of monitors, by id. */
export type ShownMonitors = ReadonlyMap<string, { status: MonitorStatus; since: Date }>;

/** Returns the writable fields, except the components and the password, which is never returned. */
export function toDefinition(page: StatusPage): PageDefinition {
  return {
    key: page.key,
    name: page.name,
    slug: page.slug,
    customDomain: page.customDomain,
    description: page.description,
    published: page.published,
    accessType: page.accessType,
    timezone: page.timezone,
    historyDays: page.historyDays,
    theme: page.theme as Theme,
    accentColor: page.accentColor,
    logoUrl: page.logoUrl,
    homepageUrl: page.homepageUrl,
    announceDetected: page.announceDetected,
    announceAfterSeconds: page.announceAfterSeconds,
    showLocations: page.showLocations,
  };
}

/**
 * Returns a definition that a PUT accepts, in this installation or another one: it refers to monitors by key if they
 * have one, and to components by monitor.
 */
export function toDefinitionDto(
  { page, components }: StoredPage,
  addresses: ReadonlyMap<string, string>,
): StatusPageDefinitionDto {
  return {
    ...toDefinition(page),
    components: components.map((component) => {
      const { id, monitorId, ...rest } = toComponentDto(component);
      return { monitorId: addresses.get(monitorId) ?? monitorId, ...rest };
    }),
  };
}

/** The impacts of open manual incidents on monitors, by id. */
export type MonitorImpacts = ReadonlyMap<string, Impact>;

/** Returns the overall state of a page from the states of its monitors and the impacts of open manual incidents. */
export function pageStatusOf(
  components: readonly StatusPageComponent[],
  shown: ShownMonitors,
  impacts: MonitorImpacts,
): PageStatus {
  const statuses = components.flatMap(({ monitorId }) => {
    const monitor = shown.get(monitorId);
    return monitor ? [impaired(monitor.status, impacts.get(monitorId))] : [];
  });
  return pageStatus(statuses);
}

/** @param origin of the application, for links. */
export function toStatusPageDto(
  { page, components }: StoredPage,
  shown: ShownMonitors,
  impacts: MonitorImpacts,
  origin: string,
): StatusPageDto {
  return {
    id: page.id,
    revision: page.revision,
    ...toDefinition(page),
    publicUrl: `${origin}/status/${page.slug}`,
    components: components.map(toComponentDto),
    status: pageStatusOf(components, shown, impacts),
    createdAt: page.createdAt.toISOString(),
    updatedAt: page.updatedAt.toISOString(),
  };
}

function toComponentDto(component: StatusPageComponent): ComponentDto {
  const { id, monitorId, name, description, groupName, showUptime } = component;
  return { id, monitorId, name, description, group: groupName, showUptime };
}
