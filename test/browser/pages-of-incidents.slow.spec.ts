import { describePages } from './support/describe-pages.js';
import { INCIDENT_ROWS } from './support/rows/incident-rows.js';

describePages('the pages of incidents and maintenance, in a browser', INCIDENT_ROWS);
