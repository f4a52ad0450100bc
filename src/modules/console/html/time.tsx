import { duration, exact, fromNow } from '../../../html/time-text.js';

/** A moment in UTC, which the script of the page writes in the reader's time zone; `none` where there is none; to the second where that matters. */
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

/** How long ago something was, or how soon it will be, for tables; the exact moment on hover. */
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

/** For how long something has been so, which the script of live pages counts on; the exact moment on hover. */
export function Ago({ at, nowMs }: ToldFrom) {
  const ms = new Date(at).getTime();
  return (
    <time dateTime={new Date(at).toISOString()} title={exact(ms)} data-since={new Date(at).toISOString()}>
      {duration(nowMs - ms)}
    </time>
  );
}
