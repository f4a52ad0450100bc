import { oldestKeys } from '../../../domain/memo.js';

const FIRST_ROWS = 1_024;

/**
 * A map from keys to rows of numbers. All rows are in a single typed array, which the garbage collector need not
 * traverse. Beyond `most` keys, the oldest keys are removed.
 */
export class NumberRows {
  private readonly rowOf = new Map<string, number>();
  private readonly free: number[] = [];
  private held = new Float64Array(0);

  constructor(
    private readonly width: number,
    private readonly most: number,
  ) {}

  /** All rows, one after the other. */
  get cells(): Float64Array {
    return this.held;
  }

  /** Returns the index in `cells` at which the row of a key begins, valid until the next write. */
  find(key: string): number | undefined {
    const row = this.rowOf.get(key);
    return row === undefined ? undefined : row * this.width;
  }

  set(key: string, numbers: readonly number[]): void {
    const row = this.rowFor(key);
    this.held.set(numbers, row * this.width);
  }

  delete(key: string): void {
    const row = this.rowOf.get(key);
    if (row === undefined) return;
    this.rowOf.delete(key);
    this.free.push(row);
  }

  clear(): void {
    this.rowOf.clear();
    this.free.length = 0;
    this.held = new Float64Array(0);
  }

  private rowFor(key: string): number {
    let row = this.rowOf.get(key);
    if (row !== undefined) return row;
    if (this.rowOf.size >= this.most) for (const oldest of oldestKeys(this.rowOf, this.most)) this.delete(oldest);
    // If no row is free, all rows up to the number of keys are in use, so this is the next one.
    row = this.free.pop() ?? this.rowOf.size;
    if ((row + 1) * this.width > this.held.length) this.grow();
    this.rowOf.set(key, row);
    return row;
  }

  private grow(): void {
    const rows = Math.min(this.most, Math.max(FIRST_ROWS, (2 * this.held.length) / this.width));
    const held = new Float64Array(rows * this.width);
    held.set(this.held);
    this.held = held;
  }
}
