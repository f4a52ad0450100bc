import { v5 as uuidv5 } from 'uuid';
import { DAY_MS } from '../../../domain/durations.js';
import { Clock } from '../../../html/time-text.js';
import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type PublicMaintenanceDto } from '../dto/public-maintenance.dto.js';
import { PHASE_WORDS } from '../../../html/status-words.js';
import { incidentState, namesOf } from '../html/page-words.js';
import { type PageAddress } from '../page-address.js';
import { MAINTENANCE_DAYS, type PublicPage } from '../public-page.types.js';
import { element, escaped } from './xml.js';

const ATOM = 'http://www.w3.org/2005/Atom';

interface Entry {
  /** Does not change with the title, the slug of the page or the address of the service. */
  id: string;
  title: string;
  /** The address of the entry. */
  url: string;
  published: string | null;
  updatedMs: number;
  html: string;
}

/** Renders a page as an Atom feed (RFC 4287), latest change first. */
export function renderFeed(page: PublicPage, address: PageAddress): string {
  const { view } = page;
  const names = namesOf(view.components);
  const clock = new Clock(view.timezone, Date.parse(view.computedAt));
  const entries = [
    ...view.incidents.map((incident) => incidentEntry(page.id, incident, names, clock, address)),
    ...view.maintenance.map((one) => maintenanceEntry(page.id, one, names, clock, address)),
  ].sort((a, b) => b.updatedMs - a.updatedMs || (a.id < b.id ? -1 : 1));
  const updatedMs = Math.max(page.updatedAt.getTime(), ...entries.map((entry) => entry.updatedMs));
  const feed = element(
    'feed',
    { xmlns: ATOM, 'xml:lang': 'en' },
    // A separate id, because the id of the page is part of the API of the team.
    element('id', {}, `urn:uuid:${uuidv5('feed', page.id)}`),
    element('title', {}, escaped(view.name)),
    ...(view.description === null ? [] : [element('subtitle', {}, escaped(view.description))]),
    element('updated', {}, new Date(updatedMs).toISOString()),
    element('author', {}, element('name', {}, escaped(view.name))),
    element('link', { rel: 'self', type: 'application/atom+xml', href: address.url(address.feed) }),
    element('link', { rel: 'alternate', type: 'text/html', href: address.url() }),
    ...entries.map(entryElement),
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed}\n`;
}

function entryElement({ id, title, url, published, updatedMs, html }: Entry): string {
  return element(
    'entry',
    {},
    element('id', {}, `urn:uuid:${id}`),
    element('title', {}, escaped(title)),
    ...(published === null ? [] : [element('published', {}, published)]),
    element('updated', {}, new Date(updatedMs).toISOString()),
    element('link', { rel: 'alternate', type: 'text/html', href: url }),
    element('content', { type: 'html' }, escaped(html)),
  );
}

function incidentEntry(
  pageId: string,
  incident: PublicIncidentDto,
  names: ReadonlyMap<string, string>,
  clock: Clock,
  address: PageAddress,
): Entry {
  const { id, title, startedAt, resolvedAt, updates, componentIds } = incident;
  const times = [startedAt, resolvedAt ?? startedAt, ...updates.map(({ at }) => at)].map((at) => Date.parse(at));
  const since = `${incidentState(incident).word}. ${stretch(startedAt, resolvedAt, clock)}`;
  return {
    id: uuidv5(id, pageId),
    title,
    url: address.url(address.incident(id)),
    published: startedAt,
    updatedMs: Math.max(...times),
    html: [
      paragraph(since),
      affected(componentIds, names),
      ...updates.map(({ at, phase, textHtml }) => {
        const told = phase === 'note' ? '' : `<br><strong>${PHASE_WORDS[phase]}</strong>`;
        return `<p><small>${escaped(clock.full(Date.parse(at)))}</small>${told}</p>${textHtml}`;
      }),
    ].join(''),
  };
}

function maintenanceEntry(
  pageId: string,
  { id, name, description, active, startsAt, endsAt, updatedAt, componentIds }: PublicMaintenanceDto,
  names: ReadonlyMap<string, string>,
  clock: Clock,
  address: PageAddress,
): Entry {
  const startsMs = Date.parse(startsAt);
  // An entry is updated when its period is announced, changed or begins.
  const announcedMs = Math.max(Date.parse(updatedAt), startsMs - MAINTENANCE_DAYS * DAY_MS);
  return {
    id: uuidv5(`${id}/${startsAt}`, pageId),
    title: `Maintenance: ${name}`,
    url: `${address.url()}#maintenance-${id}`,
    published: null,
    updatedMs: active ? Math.max(announcedMs, startsMs) : announcedMs,
    html: [
      paragraph(`${active ? 'In progress' : 'Scheduled'}. ${stretch(startsAt, endsAt, clock)}`),
      affected(componentIds, names),
      ...(description === null ? [] : [`<p>${lines(description)}</p>`]),
    ].join(''),
  };
}

function stretch(from: string, to: string | null, clock: Clock): string {
  const began = clock.full(Date.parse(from));
  return to === null ? `Since ${began}.` : `${began} to ${clock.full(Date.parse(to))}.`;
}

function affected(componentIds: readonly string[], names: ReadonlyMap<string, string>): string {
  const told = componentIds.flatMap((id) => names.get(id) ?? []);
  return told.length === 0 ? '' : paragraph(`Affected: ${told.join(', ')}.`);
}

function paragraph(text: string): string {
  return `<p>${escaped(text)}</p>`;
}

function lines(text: string): string {
  return escaped(text).replaceAll('\n', '<br>');
}
