import { type ErrorCode } from '../domain/error-codes.js';
import { type MessageEvent } from './message.js';

/** What the messages call an event, by what they do to its alert. */
export interface EventWords {
  trigger: string;
  repeat: string;
  resolve: string;
  notice: string;
  /** Completes "… is" and "… was". */
  condition: string;
}

export const EVENT_WORDS: Record<MessageEvent, EventWords> = {
  down: { trigger: 'DOWN', repeat: 'STILL DOWN', resolve: 'UP', notice: 'WAS DOWN', condition: 'down' },
  degraded: {
    trigger: 'DEGRADED',
    repeat: 'STILL DEGRADED',
    // The monitor may be down now.
    resolve: 'NO LONGER DEGRADED',
    notice: 'WAS DEGRADED',
    condition: 'degraded',
  },
  unknown: {
    trigger: 'NO DATA',
    repeat: 'STILL NO DATA',
    resolve: 'DATA RESUMED',
    notice: 'HAD NO DATA',
    condition: 'without data',
  },
  location_offline: {
    trigger: 'LOCATION OFFLINE',
    repeat: 'LOCATION STILL OFFLINE',
    resolve: 'LOCATION ONLINE',
    notice: 'LOCATION WAS OFFLINE',
    condition: 'offline',
  },
  channel_failing: {
    trigger: 'CHANNEL FAILING',
    repeat: 'CHANNEL STILL FAILING',
    resolve: 'CHANNEL WORKING',
    notice: 'CHANNEL WAS FAILING',
    condition: 'failing',
  },
  manual_incident: {
    trigger: 'INCIDENT',
    repeat: 'INCIDENT STILL OPEN',
    resolve: 'RESOLVED',
    notice: 'UPDATE',
    condition: 'an open incident',
  },
  certificate_expiring: {
    trigger: 'CERTIFICATE EXPIRING',
    repeat: 'CERTIFICATE STILL EXPIRING',
    resolve: 'CERTIFICATE NOTICE CLOSED',
    notice: 'CERTIFICATE EXPIRING',
    condition: 'expiring',
  },
  domain_expiring: {
    trigger: 'DOMAIN EXPIRING',
    repeat: 'DOMAIN STILL EXPIRING',
    resolve: 'DOMAIN NOTICE CLOSED',
    notice: 'DOMAIN EXPIRING',
    condition: 'expiring',
  },
  maintenance: {
    trigger: 'MAINTENANCE STARTED',
    repeat: 'MAINTENANCE CONTINUES',
    resolve: 'MAINTENANCE ENDED',
    notice: 'MAINTENANCE',
    condition: 'in maintenance',
  },
};

/** What the messages call the reason of a failure. */
export const REASON_WORDS: Record<ErrorCode, string> = {
  dns_not_found: 'name not found',
  dns_failed: 'name resolution failed',
  connect_refused: 'connection refused',
  connect_timeout: 'connection timed out',
  connect_failed: 'connection failed',
  address_blocked: 'address blocked',
  tls_expired: 'certificate expired',
  tls_untrusted: 'certificate not trusted',
  tls_name_mismatch: 'certificate name mismatch',
  tls_failed: 'TLS handshake failed',
  timeout: 'timed out',
  protocol_error: 'invalid response',
  connection_reset: 'connection closed',
  too_many_redirects: 'too many redirects',
  response_too_large: 'response too large',
  unexpected_status: 'unexpected status',
  unexpected_response: 'unexpected response',
  authentication_failed: 'authentication failed',
  command_failed: 'command failed',
  domain_not_found: 'domain not registered',
  domain_expired: 'domain expired',
  assertion_failed: 'assertion failed',
  heartbeat_missed: 'report missing',
  run_failed: 'job failed',
  run_too_long: 'run took too long',
  network_unavailable: 'checker has no network',
  checker_error: 'check could not be run',
};
