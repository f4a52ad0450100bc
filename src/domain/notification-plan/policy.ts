/** The events that a policy can name in `on`. */
export const NOTIFIED_EVENTS = [
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
export type NotifiedEvent = (typeof NOTIFIED_EVENTS)[number];

/** What a policy notifies of unless it says otherwise. */
export const DEFAULT_EVENTS: readonly NotifiedEvent[] = ['down', 'unknown', 'location_offline', 'channel_failing'];

/** Events that happen at a moment. All others last and have an end, of which the notified channels hear too. */
export const POINT_EVENTS: ReadonlySet<NotifiedEvent> = new Set([
  'certificate_expiring',
  'domain_expiring',
  'maintenance',
]);

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Selects all monitors, or those that match the given members; see `matches`. */
export type PolicyMatch = { all: true } | MonitorCriteria;

export interface MonitorCriteria {
  monitorIds?: readonly string[];
  /** At least one of them. */
  tags?: readonly string[];
  allTags?: readonly string[];
  notTags?: readonly string[];
  types?: readonly string[];
}

export interface MatchedMonitor {
  id: string;
  type: string;
  tags: readonly string[];
}

export interface QuietHours {
  /** IANA name. */
  timezone: string;
  /** The days on which the quiet hours start. */
  days: readonly Weekday[];
  /** `HH:MM`. */
  from: string;
  /** `HH:MM`, on the next day unless later than `from`; equal to `from`, they last 24 hours. */
  to: string;
  /** Events that they do not hold back. */
  except: readonly NotifiedEvent[];
}

export interface PolicyStep {
  /** Counted from when the incident was recorded; not less than that of the previous step. */
  afterSeconds: number;
  channelIds: readonly string[];
}

export interface PolicyRule {
  id: string;
  enabled: boolean;
  /** When the policy was created or last enabled; nothing is due before then. Epoch milliseconds. */
  activeSince: number;
  match: PolicyMatch;
  on: readonly NotifiedEvent[];
  steps: readonly PolicyStep[];
  /** Repeats the last step; `null` for once. */
  repeatEverySeconds: number | null;
  quietHours: QuietHours | null;
}
