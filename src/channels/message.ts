import { type ErrorCode } from '../domain/error-codes.js';

/**
 * What a notification does to its alert: opens it, reminds of it, reports that somebody has taken it, closes it, takes
 * it back, or says something about which no alert is open.
 */
export const MESSAGE_KINDS = ['trigger', 'repeat', 'acknowledged', 'resolve', 'correction', 'notice'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** What a notification is about. */
export const MESSAGE_EVENTS = [
  'down',
  'degraded',
  'unknown',
  'location_offline',
  'channel_failing',
  'manual_incident',
  'certificate_expiring',
  'domain_expiring',
  'maintenance',
] as const;
export type MessageEvent = (typeof MESSAGE_EVENTS)[number];

/** How bad it is for the users of what is monitored; receivers derive priority and colour from it. */
export const MESSAGE_IMPACTS = ['down', 'degraded', 'unknown', 'none'] as const;
export type MessageImpact = (typeof MESSAGE_IMPACTS)[number];

/** Why a monitor is down. Never contains the body of a response. */
export interface MessageReason {
  code: ErrorCode;
  /** The message of the check's error, a whole sentence. */
  message: string;
  /** The status code of the response, if there was one. */
  statusCode: number | null;
  /** The first assertion that failed, in words, such as "responseTimeMs less than 250". */
  failedAssertion: string | null;
}

/** What one location finds about a monitor when the message is composed. */
export interface MessageLocation {
  /** The key of the location. */
  location: string;
  name: string;
  /** `unknown` without a recent result that counts. */
  status: 'up' | 'degraded' | 'down' | 'unknown';
}

export interface MessageMonitor {
  id: string;
  name: string;
  /** What is checked, without secrets. */
  target: string;
  tags: readonly string[];
  /** Where people read what to do, or null. */
  runbookUrl: string | null;
  /** Its locations while it is down or degraded, if it is checked from several; otherwise none. */
  locations: readonly MessageLocation[];
  /** Whether this monitor has recovered: a collected message may name monitors that are down and others that are not. */
  recovered: boolean;
}

/** Links for people; null where there is nothing to open. */
export interface MessageLinks {
  incident: string | null;
  monitor: string | null;
  /** A signed link that opens a page on which one click acknowledges; null in messages about what needs none. */
  acknowledge: string | null;
  runbook: string | null;
}

/** The facts from which a message is composed. Times are RFC 3339 in UTC. */
export interface MessageFacts {
  /** Id of the notification. The same in each attempt, so that a receiver can drop repetitions. */
  id: string;
  /**
   * The deduplication key of the alert at a provider: the same from its trigger to its resolve, and in all notices of a
   * certificate or of the registration of a domain.
   */
  alertKey: string;
  kind: MessageKind;
  event: MessageEvent;
  impact: MessageImpact;
  /** Whether a person asked for this message in order to test the channel. */
  isTest: boolean;
  /** Whether the incident is an exercise. */
  isDrill: boolean;
  /** When the message was composed; times of the same day are written without their date. */
  at: string;
  teamName: string;
  /** What the message is about if that is neither a monitor nor a location: a channel, a maintenance window, a domain. */
  topic: string | null;
  reason: MessageReason | null;
  /** When the condition started; null for what has no start. */
  startedAt: string | null;
  /** When it ended; null while it lasts. */
  resolvedAt: string | null;
  /** When a certificate or a domain expires. */
  expiresAt: string | null;
  location: string | null;
  /** The root cause first. At most as many as are worth naming; `moreMonitors` and `moreRecovered` count the rest. */
  monitors: readonly MessageMonitor[];
  /** Number of further monitors that are affected. */
  moreMonitors: number;
  /** Number of further monitors that have recovered. */
  moreRecovered: number;
  /** Whether so many monitors failed at once that the cause is probably common to them, or on our side. */
  isWidespread: boolean;
  /** Whether the alert stands for those beyond a provider's share; its monitors change while it is open. */
  isStorm: boolean;
  incident: { id: string; title: string } | null;
  links: MessageLinks;
  /** A sentence that this notification adds, such as "Ada Lovelace acknowledged this until 16:58 UTC." */
  note: string | null;
  /** IANA name of the zone in which times are written. */
  timeZone: string;
}

/** All that a channel may say, whatever the channel. `composeMessage` in `wording.ts` creates it. */
export interface Message extends MessageFacts {
  /** One line that says the most important first: "DOWN Checkout API: status 503 since 15:58 UTC". */
  subject: string;
  /** Seconds from `startedAt` to `resolvedAt`, or null. */
  durationSeconds: number | null;
}
