/** Another process records the results of some monitors now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(private readonly isLost: (monitorId: string) => boolean) {
    super('Another process has taken over recording.');
  }

  /** Returns the results that the other process records, and the rest. Reports are recorded by whoever received them. */
  split<R extends { monitorId: string; ping?: unknown }>(results: readonly R[]): [lost: R[], own: R[]] {
    const isOther = ({ monitorId, ping }: R): boolean => ping === undefined && this.isLost(monitorId);
    return [results.filter(isOther), results.filter((result) => !isOther(result))];
  }
}
