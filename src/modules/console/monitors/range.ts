import { RESPONSE_RANGES, type ResponseRange } from '../../checks/dto/response-times.dto.js';

/** Returns the requested range, or 24 hours if it is missing or unknown. */
export function rangeOf(asked: unknown): ResponseRange {
  return RESPONSE_RANGES.find((one) => one === asked) ?? '24h';
}
