import { type Mark, MARK_WORDS } from './marks.js';

/** Returns the mark of a monitor's state. A monitor that was never checked is unknown. */
export function statusMark(status: Mark | 'pending'): Mark {
  return status === 'pending' ? 'unknown' : status;
}

/** Returns the name of a monitor's state. */
export function statusWord(status: Mark | 'pending'): string {
  return status === 'pending' ? 'Not checked yet' : MARK_WORDS[status];
}

/** The overall states of a status page, with shape and word. */
export const PAGE_STATES = {
  operational: { mark: 'up', word: 'Operational' },
  degraded: { mark: 'degraded', word: 'Degraded' },
  partial_outage: { mark: 'down', word: 'Partial outage' },
  major_outage: { mark: 'down', word: 'Major outage' },
  maintenance: { mark: 'maintenance', word: 'Maintenance' },
  unknown: { mark: 'unknown', word: 'Unknown' },
} as const satisfies Readonly<Record<string, { mark: Mark; word: string }>>;

/** The phases of an incident. */
export const PHASE_WORDS = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  postmortem: 'Postmortem',
  note: 'Note',
} as const;
