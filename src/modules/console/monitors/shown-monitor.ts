import { probeOf } from '../../../probes/index.js';
import { type MonitorsService } from '../../monitors/monitors.service.js';

/** A monitor as the API answers it. */
export type ShownMonitor = Awaited<ReturnType<MonitorsService['get']>>;

/** What the types are called. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  http: 'HTTP',
  tcp: 'TCP port',
  tls: 'TLS certificate',
  dns: 'DNS',
  ping: 'Ping',
  heartbeat: 'Heartbeat',
};

export function typeWord(type: string): string {
  return TYPE_WORDS[type] ?? type;
}

export function nameOf({ name }: ShownMonitor): string {
  return name as string;
}

export function typeOf({ type }: ShownMonitor): string {
  return type as string;
}

/** What is checked, in one line without secrets; empty for a type that is not known here. */
export function targetOf(monitor: ShownMonitor): string {
  return probeOf(typeOf(monitor))?.target(monitor) ?? '';
}

export function pathOf({ id }: { id: string }): string {
  return `/monitors/${id}`;
}
