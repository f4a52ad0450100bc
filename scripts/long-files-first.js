import Sequencer from '@jest/test-sequencer';

/** Takes minutes, whatever the size of the file. */
const LONG = /\/availability\/|\/browser\/|database-killed|embedded-postgres|recorder\.service|recurrence/;

/** Makes Jest start with the files that take longest, where it has no durations of an earlier run to go by. */
export default class LongFilesFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path, duration }) => duration === undefined && LONG.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
