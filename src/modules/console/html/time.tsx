import { duration, exact, fromNow } from '../../../html/time-text.js';

/**
 * A moment in UTC, which the script of the page converts to the reader's time zone; `none` replaces null. `seconds`
 * shows it to the second.
 */
export function Time({ at, none = 'never', seconds }: { at: Date | string | null; none?: string; seconds?: boolean }) {
  if (at === null) return <>{none}</>;
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} data-seconds={seconds}>
      {seconds ? exact(Date.parse(iso)) : `${exact(Date.parse(iso)).slice(0, 16)} UTC`}
    </time>
  );
}

interface ToldFrom {
  at: Date | string;
  nowMs: number;
}

/** The time since or until a moment, for tables. A tooltip shows the exact moment. */
export function RelativeTime({
  at,
  nowMs,
  none = 'never',
}: Pick<ToldFrom, 'nowMs'> & { at: Date | string | null; none?: string }) {
  if (at === null) return <>{none}</>;
  return (
    <time dateTime={new Date(at).toISOString()} title={exact(new Date(at).getTime())} data-relative>
      {fromNow(new Date(at).getTime(), nowMs)}
    </time>
  );
}

/** The time since a moment, which the script of live pages keeps up to date. A tooltip shows the exact moment. */
export function Ago({ at, nowMs }: ToldFrom) {
  const ms = new Date(at).getTime();
  return (
    <time dateTime={new Date(at).toISOString()} title={exact(ms)} data-since={new Date(at).toISOString()}>
      {duration(nowMs - ms)}
    </time>
  );
}
