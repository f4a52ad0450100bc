/** Another process records the results of some monitors now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(private readonly isLost: (monitorId: string) => boolean) {
    super('Another process has taken over recording.');
  }

  /** Returns the results that the other process records, and the rest. */
  split<R extends { monitorId: string }>(results: readonly R[]): [lost: R[], own: R[]] {
    return [
      results.filter(({ monitorId }) => this.isLost(monitorId)),
      results.filter(({ monitorId }) => !this.isLost(monitorId)),
    ];
  }
}
