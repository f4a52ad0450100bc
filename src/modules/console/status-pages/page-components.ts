import { formDecorator, type FormFields } from '../../../http/body/form-fields.js';
import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { PICK_FIELD } from '../picker/picked-ids.js';

type Fields = Readonly<Record<string, string>>;

const MEMBERS = ['id', 'monitorId', 'name', 'description', 'showUptime'] as const;

/** A component as its form fields contain it. Fields that are not set are empty. */
export interface ComponentFields extends Record<(typeof MEMBERS)[number], string> {
  /**
   * The start of the names of its fields. It says nothing about its position, which the layout of the form determines.
   */
  field: string;
}

/** The components that a page shows under one heading; without a heading if the name is blank. */
export interface GroupFields {
  /** The start of the names of its fields. */
  field: string;
  name: string;
  components: ComponentFields[];
}

/** The field with the order of groups and components, such as `g0 c0 c1 g1 c2`. The script changes only this field. */
export const LAYOUT_FIELD = 'layout';
const PLACED_FIELD = /^[cg]\d+\./;

/** Returns the groups of a form with their components, in order. Components without a place come last. */
export function groupsIn(fields: Fields): GroupFields[] {
  const unplaced = new Set(
    Object.keys(fields).flatMap((name) => (/^c\d+\.monitorId$/.test(name) ? [name.slice(0, name.indexOf('.'))] : [])),
  );
  const groups: GroupFields[] = [];
  const place = (field: string): void => {
    if (!unplaced.delete(field)) return;
    if (groups.length === 0) groups.push({ field: 'g0', name: '', components: [] });
    groups.at(-1)!.components.push(componentOf(fields, field));
  };
  for (const field of (fields[LAYOUT_FIELD] ?? '').split(' ')) {
    if (/^g\d+$/.test(field) && groups.every((group) => group.field !== field)) {
      groups.push({ field, name: fields[`${field}.name`] ?? '', components: [] });
    } else place(field);
  }
  for (const field of [...unplaced]) place(field);
  return groups;
}

function componentOf(fields: Fields, field: string): ComponentFields {
  const values = Object.fromEntries(MEMBERS.map((member) => [member, fields[`${field}.${member}`] ?? '']));
  return { ...(values as Record<(typeof MEMBERS)[number], string>), field };
}

/** The form of the editor. Whatever button has sent it, the monitors ticked in its picker are its last components. */
export const PageForm = formDecorator(withTickedComponents);

/** Gives the new components fields of their own, because buttons name the fields of the others. */
export function withTickedComponents(form: FormFields): FormFields {
  const fields = form.record();
  const components = componentsIn(groupsIn(fields));
  const unused = 1 + Math.max(-1, ...components.map(({ field }) => Number(field.slice(1))));
  const fresh = newComponents(components, form.texts(PICK_FIELD));
  const added = fresh.map((one, at) => ({ ...one, field: `c${unused + at}` }));
  const layout = [form.text(LAYOUT_FIELD), ...added.map(({ field }) => field)].join(' ').trim();
  return form.with({
    ...Object.fromEntries(added.flatMap((one) => entriesOf(one.field, one))),
    [LAYOUT_FIELD]: layout,
  });
}

function entriesOf(field: string, component: ComponentFields): [name: string, value: string][] {
  return MEMBERS.map((member) => [`${field}.${member}`, component[member]]);
}

/** Returns the fields with their groups and components replaced by these. */
export function withGroups(fields: Fields, groups: readonly GroupFields[]): Record<string, string> {
  const result = Object.fromEntries(Object.entries(fields).filter(([name]) => !PLACED_FIELD.test(name)));
  const layout: string[] = [];
  let count = 0;
  groups.forEach(({ name, components }, at) => {
    layout.push(`g${at}`);
    result[`g${at}.name`] = name;
    for (const component of components) {
      const field = `c${count++}`;
      layout.push(field);
      Object.assign(result, Object.fromEntries(entriesOf(field, component)));
    }
  });
  return { ...result, [LAYOUT_FIELD]: layout.join(' ') };
}

/** Returns the stored components of a page by group, each at the position of its first component, as visitors see it. */
export function storedGroups({ components }: Pick<StatusPageDto, 'components'>): GroupFields[] {
  const groups = new Map<string, GroupFields>();
  for (const { id, monitorId, name, description, group, showUptime } of components) {
    const own = groups.get(group ?? '') ?? { field: '', name: group ?? '', components: [] };
    groups.set(own.name, own);
    const shown = showUptime ? 'on' : '';
    own.components.push({ field: '', id, monitorId, name, description: description ?? '', showUptime: shown });
  }
  return [...groups.values()];
}

function componentsIn(groups: readonly GroupFields[]): ComponentFields[] {
  return groups.flatMap(({ components }) => components);
}

/** Returns new components, which have the names of their monitors, for those of the monitors that have none. */
function newComponents(components: readonly ComponentFields[], monitorIds: readonly string[]): ComponentFields[] {
  const known = new Set(components.map(({ monitorId }) => monitorId));
  return [...new Set(monitorIds)]
    .filter((id) => !known.has(id))
    .map((monitorId) => ({ field: '', id: '', monitorId, name: '', description: '', showUptime: 'on' }));
}

/** The actions of buttons in the editor that change only the form, in addition to those of its picker. */
export const PAGE_STEPS = ['up', 'down', 'into', 'new-group', 'add-tagged'] as const;

/**
 * Returns the groups after a step. `about` is the field of the component or group that it concerns; of `into`, that of
 * a component and its new group, such as `c3 g0`. `added`: the monitors that it adds, after the last component.
 */
export function rearranged(
  groups: readonly GroupFields[],
  { what, about }: { what: string; about: string },
  added: readonly string[] = [],
): GroupFields[] {
  switch (what) {
    case 'up':
      return moved(groups, about, -1);
    case 'down':
      return moved(groups, about, 1);
    case 'into': {
      const [field, target] = about.split(' ');
      const one = componentsIn(groups).find((component) => component.field === field);
      if (!one || !groups.some((group) => group.field === target)) return [...groups];
      return without(groups, one.field).map((group) => (group.field === target ? extended(group, [one]) : group));
    }
    case 'remove':
      return without(groups, about);
    case 'new-group':
      return [...groups, { field: '', name: '', components: [] }];
    default: {
      const fresh = newComponents(componentsIn(groups), added);
      if (fresh.length === 0) return [...groups];
      if (groups.length === 0) return [{ field: '', name: '', components: fresh }];
      return groups.map((group, at) => (at === groups.length - 1 ? extended(group, fresh) : group));
    }
  }
}

/** Moves a group past its neighbour, or a component past its neighbour and from group to group. */
function moved(groups: readonly GroupFields[], field: string, by: -1 | 1): GroupFields[] {
  const place = groups.findIndex((group) => group.field === field);
  if (place !== -1) return swapped(groups, place, by);
  const from = groups.findIndex(({ components }) => components.some((one) => one.field === field));
  if (from === -1) return [...groups];
  const { components } = groups[from]!;
  const at = components.findIndex((one) => one.field === field);
  if (at + by in components) {
    return groups.map((group, index) =>
      index === from ? { ...group, components: swapped(components, at, by) } : group,
    );
  }
  const to = from + by;
  if (!(to in groups)) return [...groups];
  return without(groups, field).map((group, index) =>
    index !== to
      ? group
      : by === 1
        ? { ...group, components: [components[at]!, ...group.components] }
        : extended(group, [components[at]!]),
  );
}

function swapped<T>(list: readonly T[], at: number, by: -1 | 1): T[] {
  const to = at + by;
  if (!(to in list)) return [...list];
  return list.map((one, place) => (place === at ? list[to]! : place === to ? list[at]! : one));
}

function without(groups: readonly GroupFields[], field: string): GroupFields[] {
  return groups.map((group) => ({ ...group, components: group.components.filter((one) => one.field !== field) }));
}

function extended(group: GroupFields, more: readonly ComponentFields[]): GroupFields {
  return { ...group, components: [...group.components, ...more] };
}
