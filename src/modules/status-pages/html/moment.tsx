import { type Clock, exact } from '../../../html/time-text.js';

/** A moment (epoch milliseconds) in the zone of the page, with the exact one on hover. */
export function Moment({ ms, clock }: { ms: number; clock: Clock }) {
  return (
    <time dateTime={new Date(ms).toISOString()} title={exact(ms)}>
      {clock.at(ms)}
    </time>
  );
}
