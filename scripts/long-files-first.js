import Sequencer from '@jest/test-sequencer';

/** Test files that take minutes, regardless of their size. */
const LONG =
  /\/availability\/|\/browser\/|database-killed|embedded-postgres|operations\.slow|recorder\.service|recurrence|simulator\.slow/;

/** Makes Jest start with the slowest files if it has no durations from an earlier run. */
export default class LongFilesFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path, duration }) => duration === undefined && LONG.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
