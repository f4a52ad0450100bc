import { type FieldError } from '../../http/problems/problem.js';

/** A component as a caller sent it. */
export interface SentComponent {
  id?: string | null;
  /** A monitor's id or `key:<key>`. */
  monitorId: string;
  name?: string | null;
  description?: string | null;
  group?: string | null;
  showUptime?: boolean | null;
  /** Where in the body its monitor stands. */
  pointer: string;
}

/** A component as it is kept; its place in the array is its place on the page. */
export interface PlacedComponent {
  id: string;
  monitorId: string;
  name: string;
  description: string | null;
  group: string | null;
  showUptime: boolean;
}

export type Placement = { components: PlacedComponent[]; errors: [] } | { components: null; errors: FieldError[] };

/**
 * Gives every sent component its identity and its defaults. One that is sent again keeps its id: by `id`, else by
 * monitor. Refused are monitors that `monitors` (by what was sent) does not know, ids that no component of this page
 * has, and either of them twice.
 */
export function placeComponents(
  sent: readonly SentComponent[],
  stored: readonly { id: string; monitorId: string }[],
  monitors: ReadonlyMap<string, { id: string; name: string }>,
  newId: () => string,
): Placement {
  const errors = [...monitorFaults(sent, monitors), ...idFaults(sent, stored)];
  if (errors.length > 0) return { components: null, errors };

  const claimed = new Set(sent.map(({ id }) => id?.toLowerCase()));
  const byMonitor = new Map(stored.filter(({ id }) => !claimed.has(id)).map(({ id, monitorId }) => [monitorId, id]));
  const components = sent.map((one): PlacedComponent => {
    const monitor = monitors.get(one.monitorId)!;
    return {
      id: one.id?.toLowerCase() ?? byMonitor.get(monitor.id) ?? newId(),
      monitorId: monitor.id,
      name: one.name ?? monitor.name,
      description: one.description ?? null,
      group: one.group ?? null,
      showUptime: one.showUptime ?? true,
    };
  });
  return { components, errors: [] };
}

function monitorFaults(
  sent: readonly SentComponent[],
  monitors: ReadonlyMap<string, { id: string; name: string }>,
): FieldError[] {
  const seen = new Set<string>();
  return sent.flatMap(({ monitorId, pointer }): FieldError[] => {
    const monitor = monitors.get(monitorId);
    if (!monitor) return [{ pointer, code: 'invalid_value', detail: 'There is no such monitor.' }];
    if (seen.has(monitor.id)) return [{ pointer, code: 'duplicate', detail: 'The page shows this monitor already.' }];
    seen.add(monitor.id);
    return [];
  });
}

function idFaults(sent: readonly SentComponent[], stored: readonly { id: string }[]): FieldError[] {
  const known = new Set(stored.map(({ id }) => id));
  const seen = new Set<string>();
  return sent.flatMap(({ id: sentId }, index): FieldError[] => {
    const id = sentId?.toLowerCase();
    if (id === undefined) return [];
    const pointer = `/components/${index}/id`;
    if (!known.has(id)) {
      return [
        { pointer, code: 'invalid_value', detail: 'The page has no such component. Leave the id out for a new one.' },
      ];
    }
    if (seen.has(id)) return [{ pointer, code: 'duplicate', detail: 'This component is sent already.' }];
    seen.add(id);
    return [];
  });
}
