import { type ResponseTimesBucketDto, type ResponseTimesDto } from './dto/response-times.dto.js';
import { type ResponseTimes, type ResponseTimesStep } from './response-times.types.js';

export function toResponseTimesDto(monitorId: string, times: ResponseTimes): ResponseTimesDto {
  return {
    monitorId,
    from: new Date(times.fromMs).toISOString(),
    to: new Date(times.toMs).toISOString(),
    bucketSeconds: times.stepMs / 1_000,
    buckets: times.steps.map(toBucket),
  };
}

function toBucket({ fromMs, count, p50Ms, p95Ms, ...timings }: ResponseTimesStep): ResponseTimesBucketDto {
  return {
    from: new Date(fromMs).toISOString(),
    checkCount: count,
    p50ResponseTimeMs: p50Ms,
    p95ResponseTimeMs: p95Ms,
    timings,
  };
}
