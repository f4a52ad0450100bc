/**
 * Factor by which all timeouts are multiplied. Tests state the timeout for an idle machine and should not fail on a
 * busy one. Passing tests do not become slower.
 */
export const PATIENCE = 4;
