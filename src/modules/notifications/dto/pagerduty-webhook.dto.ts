/** Whoever acted at PagerDuty. */
export class PagerdutyAgentDto {
  /** @example "Jane Doe" */
  summary: string;
}

/** The incident of PagerDuty. */
export class PagerdutyIncidentDto {
  /**
   * The deduplication key of the alert: the `alertKey` of a notification.
   * @example "0198c9a4-c5e3-7f21-9a0b-1c2d3e4f5061/1"
   */
  incident_key: string;
}

/** The members of an event that are read; there are more. */
export class PagerdutyEventDto {
  /** @example "incident.acknowledged" */
  event_type: string;

  /** @example "2026-11-25T10:00:00Z" */
  occurred_at: string;

  agent?: PagerdutyAgentDto | null;

  data: PagerdutyIncidentDto;
}

/** A webhook of PagerDuty (version 3). */
export class PagerdutyWebhookDto {
  event: PagerdutyEventDto;
}
