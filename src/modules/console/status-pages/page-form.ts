import { type FormField } from '../../../domain/form-field.js';
import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { type ComponentDto, type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { textOrNull, wholeOr } from '../field-values.js';
import { type FormShape } from '../form-state.js';
import { type Choice } from '../html/fields.js';
import { customField, durationOf } from '../html/duration-choice.js';
import { type Asked } from '../picker/asked.js';
import {
  type ComponentFields,
  type GroupFields,
  groupsIn,
  rearranged,
  storedGroups,
  withGroups,
} from './page-components.js';

type Fields = Readonly<Record<string, string>>;

/** The maximum length that the API accepts. */
const MAX_SLUG = 63;

const LABELS = {
  '/name': 'Name',
  '/slug': 'Slug',
  '/customDomain': 'Custom domain',
  '/description': 'Description',
  '/timezone': 'Time zone',
  '/historyDays': 'Days of history',
  '/theme': 'Theme',
  '/accentColor': 'Accent colour',
  '/logoUrl': 'Logo',
  '/homepageUrl': 'Homepage',
  '/showLocations': 'Show locations',
  '/announceDetected': 'Announce detected incidents',
  '/announceAfterSeconds': 'Announce after',
  '/accessType': 'Visibility',
  '/password': 'Password',
  '/components': 'Components',
};

/** Returns the form of a page with these groups. The name of a group is sent with each of its components. */
export function pageForm(groups: readonly GroupFields[]): FormShape {
  const labels: Record<string, string> = { ...LABELS };
  const writtenBy: Record<string, string> = {};
  let at = 0;
  groups.forEach(({ components }, place) => {
    labels[groupPointer(place)] = `Name of group ${place + 1}`;
    for (let count = components.length; count > 0; count -= 1) {
      const pointer = componentPointer(at++);
      labels[pointer] = `Component ${at}`;
      labels[`${pointer}/name`] = `Name of component ${at}`;
      labels[`${pointer}/description`] = `Description of component ${at}`;
      labels[`${pointer}/showUptime`] = `History of component ${at}`;
      writtenBy[`${pointer}/group`] = groupPointer(place);
    }
  });
  return { id: 'page', labels, writtenBy };
}

/** Returns the pointer of a component, by its position among those of all groups. */
export function componentPointer(at: number): string {
  return `/components/${at}`;
}

/** Returns the pointer of the name of a group, which is not part of the API's body. */
export function groupPointer(place: number): string {
  return `/groups/${place}`;
}

export const ANNOUNCE_AFTER: FormField = {
  pointer: '/announceAfterSeconds',
  label: LABELS['/announceAfterSeconds'],
  kind: 'seconds',
  usual: [60, 120, 300, 600, 900, 1_800, 3_600],
};

export const PAGE_DEFAULTS = {
  timezone: 'UTC',
  historyDays: '90',
  theme: 'auto',
  accessType: 'public',
  announceAfterSeconds: '300',
};

export const THEME_CHOICES: readonly Choice[] = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
export const ACCESS_CHOICES: readonly Choice[] = [
  { value: 'public', label: 'Public' },
  { value: 'password', label: 'Password-protected', help: 'browsers prompt for it; any username works' },
];

/** Returns the initial contents of the form that edits a page. */
export function pageDefaults(page: StatusPageDto): Record<string, string> {
  const { name, slug, description, timezone, historyDays, theme, accentColor, logoUrl, homepageUrl, accessType } = page;
  const fields: Record<string, string> = {
    name,
    slug,
    customDomain: page.customDomain ?? '',
    timezone,
    theme,
    accessType,
    historyDays: String(historyDays),
    description: description ?? '',
    accentColor: accentColor ?? '',
    logoUrl: logoUrl ?? '',
    homepageUrl: homepageUrl ?? '',
    ...(page.showLocations && { showLocations: 'on' }),
    ...(page.announceDetected && { announceDetected: 'on' }),
    announceAfterSeconds: String(page.announceAfterSeconds),
  };
  return withGroups(fields, storedGroups(page));
}

/** Returns the contents of the form after a step within it. `added`: the ids of the monitors that it adds. */
export function pageStep(form: FormFields, asked: Asked<string>, added: readonly string[]): Record<string, string> {
  const typed = form.record();
  return withGroups(typed, rearranged(groupsIn(typed), asked, added));
}

/**
 * Returns the API's body that creates or changes a page. It does not state whether the page is published, which other
 * buttons determine. `stored`: the components of the page to change; none for a new one.
 */
export function pageBody(form: FormFields, stored: readonly ComponentDto[] = []): JsonObject {
  const fields = form.record();
  const days = text(fields, 'historyDays');
  const password = fields.password ?? '';
  const accessType = text(fields, 'accessType');
  return {
    name: text(fields, 'name'),
    slug: text(fields, 'slug'),
    customDomain: textOrNull((fields.customDomain ?? '').toLowerCase()),
    description: textOrNull(fields.description ?? ''),
    timezone: text(fields, 'timezone'),
    theme: text(fields, 'theme'),
    historyDays: wholeOr(days),
    accentColor: textOrNull(fields.accentColor ?? ''),
    logoUrl: textOrNull(fields.logoUrl ?? ''),
    homepageUrl: textOrNull(fields.homepageUrl ?? ''),
    showLocations: form.has('showLocations'),
    announceDetected: form.has('announceDetected'),
    announceAfterSeconds: durationOf(
      'seconds',
      text(fields, 'announceAfterSeconds'),
      text(fields, customField('announceAfterSeconds')),
    ),
    accessType,
    // An empty field leaves the stored password unchanged. The field does not apply to public pages, which hide it.
    ...(password !== '' && accessType === 'password' && { password }),
    components: groupsIn(fields).flatMap(({ name: group, components }) =>
      components.map((one) => ({
        // A component that somebody else has removed is added again as a new one.
        ...(stored.some(({ id }) => id === one.id) && { id: one.id }),
        monitorId: one.monitorId,
        // Without a name, the component has the name of its monitor.
        name: textOrNull(one.name),
        description: storedLines(one, stored) ?? textOrNull(one.description),
        group: textOrNull(group),
        showUptime: one.showUptime !== '',
      })),
    ),
  };
}

/** Returns the stored description of a component if the form differs only by its line breaks, which a line cannot hold. */
function storedLines({ id, description }: ComponentFields, stored: readonly ComponentDto[]): string | null {
  const lines = stored.find((one) => one.id === id)?.description ?? null;
  return lines?.replace(/[\r\n]/g, '') === description ? lines : null;
}

/** Returns the body of a new page, whose address is derived from its name if it is empty. */
export function newPageBody(form: FormFields): JsonObject {
  const body = pageBody(form);
  return { ...body, slug: body.slug || slugOf(text(form.record(), 'name')) };
}

/** Returns an address derived from a name, such as `sao-paulo-status` of `São Paulo Status`; empty if it has no letters a–z. */
function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words ?? []).join('-').slice(0, MAX_SLUG).replace(/-$/, '');
}

/** Returns the body of a preview: of a page that anybody could open, which needs neither a password nor an address yet. */
export function previewBody(form: FormFields): JsonObject {
  const { password: _, ...body } = pageBody(form);
  return {
    ...body,
    name: body.name || 'Untitled',
    slug: 'preview',
    customDomain: null,
    accessType: 'public',
  };
}

function text(fields: Fields, name: string): string {
  return (fields[name] ?? '').trim();
}
