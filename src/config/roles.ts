/**
 * What a process does: `api` serves HTTP, `dispatcher` decides what is due, `worker` probes targets, `recorder` stores
 * results, `notifier` sends notifications.
 */
export const ROLES = ['api', 'dispatcher', 'worker', 'recorder', 'notifier'] as const;
export type Role = (typeof ROLES)[number];
