import { probeOf } from '../../../probes/index.js';
import { type MonitorDto } from '../../monitors/monitor.mapper.js';

/** What people call a monitor type; one that this version does not know goes by its own name. */
export function typeWord(type: string): string {
  return probeOf(type)?.label ?? type;
}

/** What is checked, in one line without secrets; empty for a type that is not known here. */
export function targetOf(monitor: MonitorDto): string {
  return probeOf(monitor.type)?.target(monitor) ?? '';
}

export function pathOf({ id }: { id: string }): string {
  return `/monitors/${id}`;
}
