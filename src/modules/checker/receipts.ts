import { type CheckResult } from './check-queue.js';

interface Receipt {
  left: number;
  resolve: () => void;
  reject: (reason: Error) => void;
}

/** Promises, one for each set of results, that are settled once all of the set are stored or one of them is refused. */
export class Receipts {
  private readonly open = new Map<CheckResult, Receipt>();

  /** Resolves once all of these results are settled; rejects as soon as one is refused. */
  issue(results: readonly CheckResult[]): Promise<void> {
    if (results.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const receipt = { left: results.length, resolve, reject };
      for (const result of results) this.open.set(result, receipt);
    });
  }

  settle(results: readonly CheckResult[]): void {
    if (this.open.size === 0) return;
    for (const result of results) {
      const receipt = this.open.get(result);
      this.open.delete(result);
      if (receipt && --receipt.left === 0) receipt.resolve();
    }
  }

  refuse(results: readonly CheckResult[], reason: Error): void {
    if (this.open.size === 0) return;
    for (const result of results) {
      this.open.get(result)?.reject(reason);
      this.open.delete(result);
    }
  }

  refuseAll(reason: Error): void {
    this.refuse([...this.open.keys()], reason);
  }
}
