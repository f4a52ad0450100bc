import { mkdir, writeFile } from 'node:fs/promises';

/** Prints figures by name, one row per name. */
export function printTable(
  rows: ReadonlyMap<string, Readonly<Record<string, number>>>,
  heads: readonly string[],
): void {
  const width = Math.max(...[...rows.keys()].map((name) => name.length)) + 1;
  const line = (name: string, cells: readonly string[]): void => {
    const columns = cells.map((cell, column) => cell.padStart(Math.max(10, heads[column]!.length) + 1));
    process.stdout.write(`${name.padEnd(width)}${columns.join('')}\n`);
  };
  line('', heads);
  for (const [name, figures] of rows) line(name, Object.values(figures).map(String));
}

export function rounded(value: number): number {
  return value < 100 ? Math.round(value * 10) / 10 : Math.round(value);
}

/** Writes the measurements to `build/bench/<name>.json`. */
export async function keep(name: string, measured: object): Promise<void> {
  await mkdir('build/bench', { recursive: true });
  await writeFile(`build/bench/${name}.json`, `${JSON.stringify(measured, null, 2)}\n`);
}
