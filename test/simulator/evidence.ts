/** The true outcomes of the checks of one location by time, recorded independently of the rules that are judged. */
export class Evidence {
  private codes = new Float64Array(4_096);
  private length = 0;
  private sorted = true;
  /** The end of each failed check, by its start. */
  private readonly overAt = new Map<number, number>();

  /** Records a check that determined whether the target was up. */
  add(checkedAt: number, failed: boolean, overAt: number): void {
    if (this.length === this.codes.length) {
      const grown = new Float64Array(2 * this.length);
      grown.set(this.codes);
      this.codes = grown;
    }
    const code = 2 * checkedAt + Number(failed);
    if (this.length > 0 && code < this.codes[this.length - 1]!) this.sorted = false;
    this.codes[this.length++] = code;
    if (failed) this.overAt.set(checkedAt, overAt);
  }

  /** Returns the number of passed and failed checks that started in `[from, to]`. */
  count(from: number, to: number): { passed: number; failed: number } {
    this.sort();
    const counts = { passed: 0, failed: 0 };
    for (let i = this.firstFrom(2 * from); i < this.length && this.codes[i]! <= 2 * to + 1; i += 1) {
      if (this.codes[i]! % 2 === 1) counts.failed += 1;
      else counts.passed += 1;
    }
    return counts;
  }

  /** Returns the end of the failed check that started at this moment. */
  endOf(checkedAt: number): number | undefined {
    return this.overAt.get(checkedAt);
  }

  private sort(): void {
    if (!this.sorted) this.codes.subarray(0, this.length).sort();
    this.sorted = true;
  }

  private firstFrom(code: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.codes[middle]! < code) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
