/** Reasons why a check fails. The codes are published: codes may be added, but not renamed or removed. */
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
  'unexpected_response',
  'authentication_failed',
  'command_failed',
  'domain_not_found',
  'domain_expired',
  'assertion_failed',
  'heartbeat_missed',
  'run_failed',
  'run_too_long',
  'network_unavailable',
  'checker_error',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Faults of the service itself. They prove nothing about the target, so the check is `unknown`, never `down`. */
export const OWN_FAULTS: ReadonlySet<ErrorCode> = new Set(['network_unavailable', 'checker_error']);
