import { type ErrorCode } from '../../../src/domain/error-codes.js';
import { type Role } from '../../../src/domain/role.js';

/** A period in which a monitor was not up, in hours before now. */
export interface Trouble {
  hoursAgo: number;
  hours: number;
  status: 'down' | 'degraded';
  code?: ErrorCode;
  message?: string;
}

export interface MonitorContent {
  definition: Record<string, unknown> & { key: string; name: string };
  /** The usual response time in milliseconds. */
  usualMs: number;
  troubles: readonly Trouble[];
  /** For how many days it has been checked; 0 if it has not been checked yet. */
  days: number;
  /** How it is seen from each of its locations, if there are several; a factor of the response times, and troubles. */
  seenFrom?: Readonly<Record<string, { factor: number; troubles: readonly Trouble[] }>>;
  /** The reason of its pause, if it is paused. */
  pausedFor?: string;
}

export interface UpdateContent {
  phase: string;
  text: string;
  public: boolean;
}

/** All texts that users enter, and the results of checks. */
export interface Content {
  teamName: string;
  people: Record<Role, string>;
  /** The `User-Agent` of all browsers. */
  userAgent: string;
  keyName: string;
  /** The names of a notification channel, and of a policy that notifies it. */
  channelName: string;
  policyName: string;
  /** A silence of the monitors with these tags. */
  silence: { tags: string[]; reason: string };
  /** Why a notification could not be sent. */
  deliveryError: string;
  /** The email address of an invited person. */
  invitee: string;
  /** Locations besides the one that every service has. */
  locations?: readonly { key: string; name: string }[];
  /** The monitors, of which the first one is down. */
  monitors: readonly MonitorContent[];
  /** The acknowledgement note of a detected incident. */
  acknowledgement: string;
  /** A manual incident of these monitors. */
  incident: { title: string; monitorKeys: string[]; updates: readonly UpdateContent[] };
  /** The title of a resolved incident. */
  pastTitle: string;
  /** API definitions: the first window is active, the second is upcoming. */
  windows: readonly Record<string, unknown>[];
  exclusion: { monitorKeys: string[]; reason: string };
  /** The API definition. */
  statusPage: Record<string, unknown> & { name: string; slug: string };
}
