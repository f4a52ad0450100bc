import { type CheckTrigger, type ProbeOutcome, type ResultStatus } from '../../domain/check-result.js';
import { checkId } from './check-id.js';
import { type Check } from './check.entity.js';
import { type CheckDto, type RunDto, type TrialCheckDto } from './dto/check.dto.js';

/** Times are stored in single precision, so decimals beyond a microsecond are noise. */
const ms = (value: number | null): number | null => (value === null ? null : Math.round(value * 1_000) / 1_000);

export function toCheckDto(row: Check, run: RunDto | null): CheckDto {
  return {
    id: checkId({ scheduledAt: row.scheduledAt.getTime(), attempt: row.attempt, location: row.location }),
    monitorId: row.monitorId,
    monitorRevision: row.monitorRevision,
    scheduledAt: row.scheduledAt.toISOString(),
    checkedAt: row.checkedAt.toISOString(),
    location: row.location,
    trigger: row.trigger as CheckTrigger,
    // Outside the schedule, the attempt is negative and only makes the key unique.
    attempt: Math.max(0, row.attempt),
    status: row.status as ResultStatus,
    statusCode: row.statusCode,
    responseTimeMs: ms(row.responseTimeMs),
    timings: {
      dnsMs: ms(row.dnsMs),
      connectMs: ms(row.connectMs),
      tlsMs: ms(row.tlsMs),
      firstByteMs: ms(row.firstByteMs),
      transferMs: ms(row.transferMs),
    },
    remoteAddress: row.remoteAddress,
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
    failedAssertions: row.failedAssertions ?? [],
    run,
  };
}

export function toTrialCheckDto(
  { error, failedAssertions, remoteAddress, responseTimeMs, statusCode, timings }: ProbeOutcome,
  status: ResultStatus,
  checkedAt: Date,
  location: string,
): TrialCheckDto {
  const { dnsMs, connectMs, tlsMs, firstByteMs, transferMs } = timings;
  return {
    id: null,
    monitorId: null,
    monitorRevision: null,
    scheduledAt: null,
    checkedAt: checkedAt.toISOString(),
    location,
    trigger: 'manual',
    attempt: 0,
    status,
    statusCode,
    responseTimeMs: ms(responseTimeMs),
    timings: {
      dnsMs: ms(dnsMs),
      connectMs: ms(connectMs),
      tlsMs: ms(tlsMs),
      firstByteMs: ms(firstByteMs),
      transferMs: ms(transferMs),
    },
    remoteAddress,
    error,
    failedAssertions,
  };
}
