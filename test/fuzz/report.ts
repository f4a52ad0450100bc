import { type Fault } from './judge.js';

/** One way in which the service violated a rule, with its first example. */
export interface Finding {
  rule: string;
  operation: string;
  detail: string;
  /** The number of the first request that showed it; null if it was found between requests. */
  number: number | null;
  /** The smallest request found that still shows it, and the response. */
  example: string;
  count: number;
}

/** The results of a run: the statuses of each operation, and the findings. */
export class Report {
  readonly findings = new Map<string, Finding>();
  private readonly counts = new Map<string, Map<string, number>>();

  count(operation: string, status: number): void {
    const row = this.counts.get(operation) ?? new Map<string, number>();
    this.counts.set(operation, row);
    const column = status === 0 ? 'none' : `${Math.floor(status / 100)}xx`;
    row.set(column, (row.get(column) ?? 0) + 1);
  }

  /** Counts a fault. Returns a new finding if it is the first of its kind, otherwise null. */
  add(fault: Fault, operation: string, number: number | null): Finding | null {
    const key = keyOf(fault, operation);
    const known = this.findings.get(key);
    if (known) {
      known.count += 1;
      return null;
    }
    const finding = { ...fault, operation, number, example: '', count: 1 };
    this.findings.set(key, finding);
    return finding;
  }

  /** Returns a table of operations and status classes. */
  table(): string {
    const columns = ['2xx', '3xx', '4xx', '5xx', 'none'];
    const rows = [...this.counts].sort(([a], [b]) => a.localeCompare(b));
    const line = (name: string, cells: (number | string)[]): string =>
      `${name.padEnd(46)}${cells.map((cell) => String(cell).padStart(8)).join('')}`;
    const total = columns.map((column) => rows.reduce((sum, [, row]) => sum + (row.get(column) ?? 0), 0));
    return [
      line('', columns),
      ...rows.map(([name, row]) =>
        line(
          name,
          columns.map((column) => row.get(column) ?? 0),
        ),
      ),
      line('total', total),
    ].join('\n');
  }

  /** Returns the operations that never succeeded, and thus were not fully tested. */
  neverSucceeded(): string[] {
    return [...this.counts].flatMap(([name, row]) => (row.has('2xx') || name.startsWith('(') ? [] : [name]));
  }

  text(): string {
    return [...this.findings.values()]
      .map(
        ({ rule, operation, detail, number, example, count }) =>
          `${rule}: ${operation} (${count} times, first by request ${number ?? '-'})\n  ${detail}\n  ${example.replaceAll('\n', '\n  ')}`,
      )
      .join('\n\n');
  }
}

/** Returns the key of a finding: rule, operation and detail, without the parts that differ from case to case. */
export function keyOf({ rule, detail }: Fault, operation: string): string {
  const plain = detail
    .split('\n  {')[0]!
    .replace(/"[^"]*"|[0-9a-f-]{36}|zq\w+qz|\d{4,}|\/v1\/\S+/g, '…')
    .slice(0, 160);
  return `${rule} ${operation} ${plain}`;
}
