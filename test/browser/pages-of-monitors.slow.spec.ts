import { describePages } from './support/describe-pages.js';
import { MONITOR_ROWS } from './support/rows/monitor-rows.js';

describePages('the pages of monitors, in a browser', MONITOR_ROWS);
