import { type ChartQuery, RESPONSE_RANGES, type ResponseRange } from '../../checks/response-times.types.js';

/** Returns the requested range, or 24 hours if it is missing or unknown. */
export function rangeOf(asked: unknown): ResponseRange {
  return RESPONSE_RANGES.find((one) => one === asked) ?? '24h';
}

/** Returns which response times the query of a page selects; all locations unless it names one. */
export function chartQuery(sent: Readonly<Record<string, unknown>>): ChartQuery {
  const { location } = sent;
  const isNamed = typeof location === 'string' && location !== '';
  return { range: rangeOf(sent.range), ...(isNamed && { location }) };
}
