import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CODES } from '../../../domain/error-codes.js';
import { type ProbeFields } from '../../../probes/index.js';
import { type MonitorDefinitionDto } from './monitor-definition.dto.js';

export const MONITOR_STATUSES = ['pending', 'up', 'degraded', 'down', 'paused', 'maintenance', 'unknown'] as const;
export type MonitorStatus = (typeof MONITOR_STATUSES)[number];

/** Why the latest failing check failed. */
export class LastErrorDto {
  /**
   * One of the published error codes.
   * @example "connect_refused"
   */
  @ApiProperty({ enum: ERROR_CODES })
  code: string;

  /** @example "The target refused the connection." */
  message: string;
}

/** How far a change of state is confirmed. */
export class ConfirmingDto {
  /**
   * Number of consecutive results that indicate the change so far: of failing checks or, while `verifying` is `up` or
   * `degraded`, of passing or slow ones.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  failures: number;

  /**
   * Number of consecutive results that confirm the change: `failureThreshold` or `recoveryThreshold`. At least one more
   * than `failures`.
   * @example 2
   */
  @ApiProperty({ type: 'integer', minimum: 2 })
  needed: number;
}

/** The certificate that the target presented last. */
export class MonitorCertificateDto {
  /**
   * SHA-256 of the certificate, in hexadecimal digits.
   * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
   */
  @ApiProperty({ pattern: '^[0-9a-f]{64}$' })
  fingerprint: string;

  /**
   * The subject of the certificate; null if it names only hosts.
   * @example "CN=example.com"
   */
  subject: string | null;

  /**
   * Who issued it.
   * @example "C=US, O=Let's Encrypt, CN=R11"
   */
  issuer: string | null;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  validFrom: string;

  /** @example "2026-04-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  validUntil: string;

  /**
   * When it was stored last: it is stored once a day, and when it changes.
   * @example "2026-01-01T12:01:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  readAt: string;
}

/** The registration of the domain. */
export class MonitorRegistrationDto {
  /** @example "example.com" */
  domain: string;

  /**
   * Who registered it; null if the registry does not reveal it.
   * @example "Example Registrar"
   */
  registrar: string | null;

  /**
   * When it expires unless it is renewed; null if the registry does not reveal it.
   * @example "2027-01-01T12:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  expiresAt: string | null;

  /**
   * The start of the check that read it.
   * @example "2026-01-01T12:01:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  readAt: string;
}

/** Read-only fields that the service adds to the definition of a monitor. */
export class MonitorStatusDto {
  /** @example "0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55" */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /**
   * Increases with each write by a caller; checks do not change it.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision: number;

  /**
   * The confirmed state, unless the monitor is paused or in maintenance, or its state is unknown.
   * @example "up"
   */
  @ApiProperty({ enum: MONITOR_STATUSES })
  status: MonitorStatus;

  /**
   * The state that retries are confirming; null if there is none.
   * @example null
   */
  verifying: 'down' | 'up' | 'degraded' | null;

  /**
   * How far that change is confirmed, at the location where it is furthest along; null if there is none. A monitor whose first
   * check failed is `pending` with 1 of 2 failures.
   */
  @ApiProperty({ example: null })
  confirming: ConfirmingDto | null;

  /**
   * When the status began. A pause interrupts every status: after it, the status counts from the resume.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  statusSince: string;

  /** @example "2026-01-01T12:01:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  lastCheckAt: string | null;

  /**
   * Start of the next scheduled check, or when the next report of a job is due; null while paused, and before the first
   * report.
   * @example "2026-01-01T12:02:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  nextCheckAt: string | null;

  /**
   * The address to which the job of a heartbeat monitor reports. Its secret part is masked for keys that have only the
   * scope `read`. Null for other types.
   * @example null
   */
  @ApiProperty({ format: 'uri' })
  pingUrl: string | null;

  /**
   * The locations at which a degraded monitor is down, if they are fewer than its quorum. Empty in any other status.
   * @example []
   */
  partialOutageLocations: string[];

  /** Why the latest failing check failed; null unless a location is down or its latest check failed. */
  @ApiProperty({ example: null })
  lastError: LastErrorDto | null;

  /**
   * The certificate that the target presented last, even if it was not accepted; with redirects, that of the last
   * server. Null if no check of the current target has received one, and for types without certificates.
   */
  @ApiProperty({ example: null })
  certificate: MonitorCertificateDto | null;

  /**
   * The registration of the domain, as the latest check that found it read it. Null if there was none, and for types other
   * than `domain`.
   */
  @ApiProperty({ example: null })
  registration: MonitorRegistrationDto | null;

  /** @example null */
  @ApiProperty({ format: 'date-time' })
  pausedAt: string | null;

  /**
   * When the pause ends automatically; if null during a pause, it lasts until the monitor is resumed.
   * @example null
   */
  @ApiProperty({ format: 'date-time' })
  pausedUntil: string | null;

  /** @example null */
  pauseReason: string | null;

  /** @example null */
  @ApiProperty({ format: 'date-time' })
  resumedAt: string | null;

  /**
   * Whether anybody is notified when the monitor is down: an enabled notification policy with `down` in `on` and with at
   * least one enabled channel applies to it. `GET /v1/monitors/{id}/notification-policies` lists the channels.
   * @example true
   */
  notified: boolean;

  /**
   * The page of the monitor in the web application.
   * @example "https://daywatch.example.com/monitors/0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55"
   */
  @ApiProperty({ format: 'uri' })
  htmlUrl: string;

  /** @example "2026-01-01T12:00:00.000Z" */
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /**
   * When a caller last changed the monitor; checks do not change this time.
   * @example "2026-01-01T12:00:00.000Z"
   */
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;
}

export const READ_ONLY_FIELDS = [
  'id',
  'revision',
  'status',
  'verifying',
  'confirming',
  'statusSince',
  'lastCheckAt',
  'nextCheckAt',
  'pingUrl',
  'partialOutageLocations',
  'lastError',
  'certificate',
  'registration',
  'pausedAt',
  'pausedUntil',
  'pauseReason',
  'resumedAt',
  'notified',
  'htmlUrl',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof MonitorStatusDto)[];

/** The definition of a monitor as the API returns it: all fields, with secrets masked. */
export type MonitorDefinition = Omit<Required<MonitorDefinitionDto>, CheckingField> & CheckingFields & ProbeFields;

/** Null for a monitor that waits for reports instead of checking a target. */
type CheckingField = 'intervalSeconds' | 'timeoutMs' | 'retryIntervalSeconds' | 'locations' | 'quorum';
type CheckingFields = { [K in CheckingField]: NonNullable<MonitorDefinitionDto[K]> | null };

/** Only the writable fields, as PUT accepts them. */
export type MonitorDefinitionView = MonitorDefinition & { paused: boolean };

/** A monitor as the API returns it: its definition, and the fields that the service adds. */
export type MonitorDto = MonitorDefinition & MonitorStatusDto;
