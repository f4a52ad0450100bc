import { type ErrorCode } from '../../../src/domain/error-codes.js';
import { type Role } from '../../../src/domain/role.js';

/** A time at which a monitor was not up, in hours before now. */
export interface Trouble {
  hoursAgo: number;
  hours: number;
  status: 'down' | 'degraded';
  code?: ErrorCode;
  message?: string;
}

export interface MonitorContent {
  definition: Record<string, unknown> & { key: string; name: string };
  /** What it usually took, in milliseconds. */
  usualMs: number;
  troubles: readonly Trouble[];
  /** For how many days it has been checked; not yet at all where there are none. */
  days: number;
  /** Why it is paused now, where it is. */
  pausedFor?: string;
}

export interface UpdateContent {
  phase: string;
  text: string;
  public: boolean;
}

/** Everything that somebody has written into a service, and what was found by checking. */
export interface Content {
  teamName: string;
  people: Record<Role, string>;
  /** What the browsers of all people call themselves. */
  userAgent: string;
  keyName: string;
  /** For whom an invitation is. */
  invitee: string;
  /** The first one is down. */
  monitors: readonly MonitorContent[];
  /** Told of one that is down. */
  acknowledgement: string;
  /** An incident that people have opened themselves, about these monitors. */
  incident: { title: string; monitorKeys: string[]; updates: readonly UpdateContent[] };
  /** Of another one, which is over. */
  pastTitle: string;
  /** As the API takes them: the first one runs now, the second is to come. */
  windows: readonly Record<string, unknown>[];
  exclusion: { monitorKeys: string[]; reason: string };
  /** As the API takes it. */
  statusPage: Record<string, unknown> & { name: string; slug: string };
}
