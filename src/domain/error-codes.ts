/** Why a check did not pass. Published codes: the list grows only by addition. */
export const ERROR_CODES = [
  'dns_not_found',
  'dns_failed',
  'connect_refused',
  'connect_timeout',
  'connect_failed',
  'address_blocked',
  'tls_expired',
  'tls_untrusted',
  'tls_name_mismatch',
  'tls_failed',
  'timeout',
  'protocol_error',
  'connection_reset',
  'too_many_redirects',
  'response_too_large',
  'unexpected_status',
  'assertion_failed',
  'heartbeat_missed',
  'network_unavailable',
  'checker_error',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Faults of our own: they say nothing about the target, so a check that ends in one is `unknown`, never `down`. */
export const OWN_FAULTS: ReadonlySet<ErrorCode> = new Set(['network_unavailable', 'checker_error']);
