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
    resolve: 'UP',
    notice: 'WAS DEGRADED',
    condition: 'degraded',
  },
  unknown: {
    trigger: 'NOT OBSERVED',
    repeat: 'STILL NOT OBSERVED',
    resolve: 'OBSERVED AGAIN',
    notice: 'WAS NOT OBSERVED',
    condition: 'not observed',
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
    trigger: 'CERTIFICATE EXPIRES',
    repeat: 'CERTIFICATE STILL EXPIRES',
    resolve: 'CERTIFICATE RENEWED',
    notice: 'CERTIFICATE EXPIRES',
    condition: 'expiring',
  },
  domain_expiring: {
    trigger: 'DOMAIN EXPIRES',
    repeat: 'DOMAIN STILL EXPIRES',
    resolve: 'DOMAIN RENEWED',
    notice: 'DOMAIN EXPIRES',
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
  connect_failed: 'no connection',
  address_blocked: 'address not allowed',
  tls_expired: 'certificate expired',
  tls_untrusted: 'certificate not trusted',
  tls_name_mismatch: 'certificate for another name',
  tls_failed: 'TLS handshake failed',
  timeout: 'timed out',
  protocol_error: 'invalid response',
  connection_reset: 'connection closed',
  too_many_redirects: 'too many redirects',
  response_too_large: 'response too large',
  unexpected_status: 'unexpected status',
  assertion_failed: 'assertion failed',
  heartbeat_missed: 'heartbeat missed',
  network_unavailable: 'no network',
  checker_error: 'check could not be run',
};
