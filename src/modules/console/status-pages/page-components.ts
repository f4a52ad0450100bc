import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { type Asked, moved } from '../picker/asked.js';

/** A component as the form fields at its position contain it. Fields that are not set are empty. */
export interface ComponentFields {
  /** The id of a stored component, which preserves its badge addresses; empty for a new one. */
  id: string;
  monitorId: string;
  name: string;
  description: string;
  group: string;
  showUptime: string;
}

type Fields = Readonly<Record<string, string>>;

const MEMBERS = ['id', 'monitorId', 'name', 'description', 'group', 'showUptime'] as const;
const COMPONENT_FIELD = /^c\d+\./;
/** More than the API accepts, so that the API refuses them. */
const MAX_READ = 1_000;

/** Returns the name of a component's field, by the position of the component. */
export function componentField(at: number, member: keyof ComponentFields): string {
  return `c${at}.${member}`;
}

/** Returns the components of a form, in order. */
export function componentsIn(fields: Fields): ComponentFields[] {
  const found: ComponentFields[] = [];
  while (found.length < MAX_READ && fields[componentField(found.length, 'monitorId')] !== undefined) {
    const at = found.length;
    const of = (member: keyof ComponentFields): string => fields[componentField(at, member)] ?? '';
    found.push({
      id: of('id'),
      monitorId: of('monitorId'),
      name: of('name'),
      description: of('description'),
      group: of('group'),
      showUptime: of('showUptime'),
    });
  }
  return found;
}

/** Returns the fields with their components replaced by these. */
export function withComponents(fields: Fields, components: readonly ComponentFields[]): Record<string, string> {
  const others = Object.entries(fields).filter(([name]) => !COMPONENT_FIELD.test(name));
  const own = components.flatMap((one, at) => MEMBERS.map((member) => [componentField(at, member), one[member]]));
  return Object.fromEntries([...others, ...own]) as Record<string, string>;
}

/** Returns the stored components of a page as form fields. */
export function storedComponents({ components }: Pick<StatusPageDto, 'components'>): ComponentFields[] {
  return components.map(({ id, monitorId, name, description, group, showUptime }) => ({
    id,
    monitorId,
    name,
    description: description ?? '',
    group: group ?? '',
    showUptime: showUptime ? 'on' : '',
  }));
}

/**
 * Returns the components after a step. `about` is the position of a component or, for a new one, the id of its monitor.
 */
export function rearranged(components: readonly ComponentFields[], { what, about }: Asked): ComponentFields[] {
  const at = Number(about);
  switch (what) {
    case 'up':
      return moved(components, at, -1);
    case 'down':
      return moved(components, at, 1);
    case 'remove':
      return components.filter((_, place) => place !== at);
    case 'add':
      return components.some(({ monitorId }) => monitorId === about)
        ? [...components]
        : [...components, { id: '', monitorId: about, name: '', description: '', group: '', showUptime: 'on' }];
    case 'search':
    case 'save':
      return [...components];
  }
}
