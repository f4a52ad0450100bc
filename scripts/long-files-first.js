import Sequencer from '@jest/test-sequencer';

/** The test files that take longest, regardless of their size. */
const LONG = [
  /\/(availability|browser)\//,
  /\/(database-killed|embedded-postgres|operations|simulator)\.slow\./,
  /\/(examples|notifications|rate-limit|routes|subscription-webhooks)\.e2e\./,
  /\/(migrations\.db|recorder\.service\.db|recurrence)\./,
];

/** Makes Jest start with the slowest files if it has no durations from an earlier run. */
export default class LongFilesFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path, duration }) => duration === undefined && LONG.some((one) => one.test(path));
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
