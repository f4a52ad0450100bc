/** The location of processes that have no other. */
export const DEFAULT_LOCATION = 'default';
