import { probeOf } from '../../../probes/index.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';

/** Returns the display name of a monitor type. A type that this version does not know is returned unchanged. */
export function typeWord(type: string): string {
  return probeOf(type)?.label ?? type;
}

/** Returns the target of a monitor's checks in one line without secrets; empty for an unknown type. */
export function targetOf(monitor: MonitorDto): string {
  return probeOf(monitor.type)?.target(monitor) ?? '';
}

export function pathOf({ id }: { id: string }): string {
  return `/monitors/${id}`;
}
