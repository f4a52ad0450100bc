import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { type FormShape } from '../form-state.js';
import { type Choice } from '../html/fields.js';
import { askedOf } from '../picker/asked.js';
import { componentsIn, rearranged, storedComponents, withComponents } from './page-components.js';

type Fields = Readonly<Record<string, string>>;

const LABELS = {
  '/name': 'Name',
  '/slug': 'Address',
  '/description': 'Description',
  '/timezone': 'Time zone',
  '/historyDays': 'Days of history',
  '/theme': 'Theme',
  '/accentColor': 'Accent colour',
  '/logoUrl': 'Logo',
  '/homepageUrl': 'Homepage',
  '/accessType': 'Visibility',
  '/password': 'Password',
  '/components': 'Components',
};

/** Returns the form of a page with `count` components. */
export function pageForm(count: number): FormShape {
  const parts = Array.from({ length: count }, (_, at): [string, string][] => [
    [`/components/${at}`, `Component ${at + 1}`],
    [`/components/${at}/name`, `Name of component ${at + 1}`],
    [`/components/${at}/description`, `Description of component ${at + 1}`],
    [`/components/${at}/group`, `Group of component ${at + 1}`],
    [`/components/${at}/showUptime`, `Show history and uptime of component ${at + 1}`],
  ]);
  return { id: 'page', labels: { ...LABELS, ...Object.fromEntries(parts.flat()) } };
}

export const PAGE_DEFAULTS = { timezone: 'UTC', historyDays: '90', theme: 'auto', accessType: 'public' };

export const THEME_CHOICES: readonly Choice[] = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
export const ACCESS_CHOICES: readonly Choice[] = [
  { value: 'public', label: 'Public' },
  { value: 'password', label: 'Password-protected', help: 'browsers ask for it; any username works' },
];

/** Returns the initial contents of the form that edits a page. */
export function pageDefaults(page: StatusPageDto): Record<string, string> {
  const { name, slug, description, timezone, historyDays, theme, accentColor, logoUrl, homepageUrl, accessType } = page;
  const fields = {
    name,
    slug,
    timezone,
    theme,
    accessType,
    historyDays: String(historyDays),
    description: description ?? '',
    accentColor: accentColor ?? '',
    logoUrl: logoUrl ?? '',
    homepageUrl: homepageUrl ?? '',
  };
  return withComponents(fields, storedComponents(page));
}

/** Returns the contents of the form after a step within it; null if it is to be saved. */
export function pageStep(form: FormFields): Record<string, string> | null {
  const asked = askedOf(form);
  if (asked.what === 'save') return null;
  const typed = form.record();
  return withComponents(typed, rearranged(componentsIn(typed), asked));
}

/**
 * Returns the API's body that creates or changes a page. It does not state whether the page is published, which other
 * buttons determine.
 */
export function pageBody(form: FormFields): JsonObject {
  const fields = form.record();
  const days = text(fields, 'historyDays');
  const password = fields.password ?? '';
  return {
    name: text(fields, 'name'),
    slug: text(fields, 'slug'),
    description: orNull(fields, 'description'),
    timezone: text(fields, 'timezone'),
    theme: text(fields, 'theme'),
    historyDays: /^\d{1,9}$/.test(days) ? Number(days) : days,
    accentColor: orNull(fields, 'accentColor'),
    logoUrl: orNull(fields, 'logoUrl'),
    homepageUrl: orNull(fields, 'homepageUrl'),
    accessType: text(fields, 'accessType'),
    // An empty field leaves the stored password unchanged.
    ...(password !== '' && { password }),
    components: componentsIn(fields).map((one) => ({
      ...(one.id !== '' && { id: one.id }),
      monitorId: one.monitorId,
      // Without a name, the component has the name of its monitor.
      name: orNull({ ...one }, 'name'),
      description: orNull({ ...one }, 'description'),
      group: orNull({ ...one }, 'group'),
      showUptime: one.showUptime !== '',
    })),
  };
}

function text(fields: Fields, name: string): string {
  return (fields[name] ?? '').trim();
}

function orNull(fields: Fields, name: string): string | null {
  return text(fields, name) || null;
}
