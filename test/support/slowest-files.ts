import { type AggregatedResult } from '@jest/test-result';

const SHOWN = 10;
/** The folder of the compiled tests, removed from the names of files. */
const TREE = /^.*\/build\/test\//;

/** A Jest reporter that ends a run of many files with a list of the slowest ones and how to run a single one. */
export default class SlowestFiles {
  onRunComplete(_contexts: unknown, { testResults }: AggregatedResult): void {
    if (testResults.length <= SHOWN) return;
    const files = testResults
      .map(({ testFilePath, perfStats }) => ({
        name: testFilePath.replace(TREE, ''),
        seconds: perfStats.runtime / 1_000,
      }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN);
    const lines = files.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`);
    process.stderr.write(
      `\nSlowest ${SHOWN} of ${testResults.length} files:\n${lines.join('\n')}\n` +
        'To run a single file: npm run build:test && npm run jest -- schedule\n',
    );
  }
}
