import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';

/**
 * A stretch of time, `[fromMs, toMs)` in epoch milliseconds, in which the clocks of a zone are ahead of UTC by a constant
 * number of milliseconds. Infinite where the zone has no earlier or later change.
 */
export interface OffsetSpan {
  fromMs: number;
  toMs: number;
  offsetMs: number;
}

/** More than there are zones. */
const CACHED_ZONES = 700;
/** Spans that are cached for each zone: enough to walk several years from today. */
const CACHED_SPANS = 64;

const known = new LRUCache<string, OffsetSpan[]>({ max: CACHED_ZONES });

/**
 * Returns the span of a time zone (IANA name) that contains a moment. Looking up a clock change takes about a
 * millisecond, so spans are cached.
 */
export function offsetSpanAt(timezone: string, atMs: number): OffsetSpan {
  let spans = known.get(timezone);
  if (!spans) known.set(timezone, (spans = []));
  for (const span of spans) if (span.fromMs <= atMs && atMs < span.toMs) return span;
  const span = readSpan(timezone, atMs);
  spans.push(span);
  if (spans.length > CACHED_SPANS) spans.shift();
  return span;
}

function readSpan(timezone: string, atMs: number): OffsetSpan {
  const at = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
  // The previous change is before a moment, never at it.
  const from = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  return {
    fromMs: from?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    toMs: at.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: at.offsetNanoseconds / 1e6,
  };
}
