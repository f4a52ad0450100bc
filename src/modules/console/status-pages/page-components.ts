import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { type Asked, moved } from '../picker/asked.js';

/** A component as the fields of its place in a form hold it. What is not chosen is empty. */
export interface ComponentFields {
  /** Of one that is stored: it keeps its badge addresses. */
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
/** More than the API takes: it is what refuses them. */
const MAX_READ = 1_000;

/** The name of a component's field, by the place of the component. */
export function componentField(at: number, member: keyof ComponentFields): string {
  return `c${at}.${member}`;
}

/** The components of a form, in their order. */
export function componentsIn(fields: Fields): ComponentFields[] {
  const found: ComponentFields[] = [];
  while (found.length < MAX_READ && fields[componentField(found.length, 'monitorId')] !== undefined) {
    const at = found.length;
    const of = (member: keyof ComponentFields): string => fields[componentField(at, member)] ?? '';
    found.push({
      ...{ id: of('id'), monitorId: of('monitorId'), name: of('name'), description: of('description') },
      ...{ group: of('group'), showUptime: of('showUptime') },
    });
  }
  return found;
}

/** The same fields with these components in place of those that were there. */
export function withComponents(fields: Fields, components: readonly ComponentFields[]): Record<string, string> {
  const others = Object.entries(fields).filter(([name]) => !COMPONENT_FIELD.test(name));
  const own = components.flatMap((one, at) => MEMBERS.map((member) => [componentField(at, member), one[member]]));
  return Object.fromEntries([...others, ...own]) as Record<string, string>;
}

/** The components as they are stored. */
export function storedComponents({ components }: Pick<StatusPageDto, 'components'>): ComponentFields[] {
  return components.map(({ id, monitorId, name, description, group, showUptime }) => ({
    ...{ id, monitorId, name, description: description ?? '', group: group ?? '', showUptime: showUptime ? 'on' : '' },
  }));
}

/** The components after a step: about a place, or for a new one about a monitor. */
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
