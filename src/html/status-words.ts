import { type Mark, MARK_WORDS } from './marks.js';

/** What a state of a monitor looks like: one that was never checked is one that nothing is known of. */
export function statusMark(status: Mark | 'pending'): Mark {
  return status === 'pending' ? 'unknown' : status;
}

/** What a state of a monitor is called. */
export function statusWord(status: Mark | 'pending'): string {
  return status === 'pending' ? 'Not checked yet' : MARK_WORDS[status];
}

/** The overall states of a status page: shape and word. */
export const PAGE_STATES = {
  operational: { mark: 'up', word: 'Operational' },
  degraded: { mark: 'degraded', word: 'Degraded' },
  partial_outage: { mark: 'down', word: 'Partial outage' },
  major_outage: { mark: 'down', word: 'Major outage' },
  maintenance: { mark: 'maintenance', word: 'Maintenance' },
  unknown: { mark: 'unknown', word: 'Unknown' },
} as const satisfies Readonly<Record<string, { mark: Mark; word: string }>>;

/** How far the work on an incident is. */
export const PHASE_WORDS = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  note: 'Note',
} as const;
