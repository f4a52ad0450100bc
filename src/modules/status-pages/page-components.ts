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
  /** JSON pointer of its monitor in the body. */
  pointer: string;
}

/** A component as it is stored; its position in the array is its position on the page. */
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
 * Assigns an id and defaults to every sent component. An existing component keeps its id: it is matched by `id`,
 * otherwise by monitor. Rejects monitors that are not in `monitors` (keyed by the sent address), ids that no component
 * of this page has, and duplicates of either.
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
    if (seen.has(monitor.id)) return [{ pointer, code: 'duplicate', detail: 'The page already shows this monitor.' }];
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
      return [{ pointer, code: 'invalid_value', detail: 'The page has no such component. Omit the id for a new one.' }];
    }
    if (seen.has(id)) return [{ pointer, code: 'duplicate', detail: 'This component is listed twice.' }];
    seen.add(id);
    return [];
  });
}
