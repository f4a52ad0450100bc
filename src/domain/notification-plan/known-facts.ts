import { type AlertFacts, type Hold } from './facts.js';

/**
 * Returns what was known of an alert at a moment, from its whole history: later beginnings are left out, and spans that
 * ended later, where that was not planned, are open. Epoch milliseconds.
 */
export function knownAt(alert: AlertFacts, now: number): AlertFacts {
  const known = (at: number | null): number | null => (at !== null && at <= now ? at : null);
  const held = (hold: Hold): Hold => ({ ...hold, failsAgainAt: known(hold.failsAgainAt) });
  const begun = <T extends { from: number }>(spans: readonly T[]): T[] => spans.filter(({ from }) => from <= now);
  const { end, monitors, acknowledgements, upSpans, silences, parents } = alert;
  return {
    ...alert,
    end: end !== null && end.at <= now ? end : null,
    retractedAt: known(alert.retractedAt),
    // Windows and silences have an end from the beginning.
    monitors: monitors.map(({ resumed, ...one }) => ({
      ...one,
      maintenance: begun(one.maintenance).map(held),
      ...(resumed && { resumed: held(resumed) }),
    })),
    silences: begun(silences),
    acknowledgements: acknowledgements.filter(({ at }) => at <= now),
    upSpans: begun(upSpans).map(({ from, to }) => ({ from, to: known(to) })),
    parents: parents.map(({ answeredAt, down }) => ({
      answeredAt: known(answeredAt),
      down: begun(down).map((hold) => ({ ...held(hold), to: known(hold.to) })),
    })),
  };
}

/** Returns the moments at which something became known of an alert. */
export function changesOf({ end, retractedAt, ...alert }: AlertFacts): number[] {
  const { monitors, acknowledgements, upSpans, silences, parents } = alert;
  const downs = parents.flatMap(({ down }) => down);
  const own = monitors.flatMap(({ maintenance, resumed }) => (resumed ? [...maintenance, resumed] : maintenance));
  const holds = [...own, ...downs];
  const moments = [
    ...(end ? [end.at] : []),
    retractedAt,
    ...acknowledgements.map(({ at }) => at),
    ...[...upSpans, ...holds].flatMap(({ from, to }) => [from, to]),
    ...holds.map(({ failsAgainAt }) => failsAgainAt),
    ...silences.map(({ from }) => from),
    ...parents.map(({ answeredAt }) => answeredAt),
  ];
  return moments.filter((at) => at !== null);
}
