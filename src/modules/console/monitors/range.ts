import { RESPONSE_RANGES, type ResponseRange } from '../../checks/dto/response-times.dto.js';

/** The range that an address asks for; a day where it asks for none that there is. */
export function rangeOf(asked: unknown): ResponseRange {
  return RESPONSE_RANGES.find((one) => one === asked) ?? '24h';
}
