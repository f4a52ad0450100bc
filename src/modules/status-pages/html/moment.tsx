import { type Clock, exact } from '../../../html/time-text.js';

/** Renders a time (epoch milliseconds) in the time zone of the page, with the exact time on hover. */
export function Moment({ ms, clock }: { ms: number; clock: Clock }) {
  return (
    <time dateTime={new Date(ms).toISOString()} title={exact(ms)}>
      {clock.at(ms)}
    </time>
  );
}
