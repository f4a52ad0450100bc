import { INCIDENT_ROWS } from './rows/incident-rows.js';
import { MONITOR_ROWS } from './rows/monitor-rows.js';
import { type PageRow } from './rows/page-row.js';
import { PEOPLE_ROWS } from './rows/people-rows.js';
import { SETTINGS_ROWS } from './rows/settings-rows.js';
import { STATUS_PAGE_ROWS } from './rows/status-page-rows.js';

/** Every page of the application, and every public one, in the order in which a new user opens them. */
export const PAGE_ROWS: readonly PageRow[] = [
  ...PEOPLE_ROWS,
  ...MONITOR_ROWS,
  ...INCIDENT_ROWS,
  ...STATUS_PAGE_ROWS,
  ...SETTINGS_ROWS,
];

/** Routes of the application that are not pages: data for scripts, and redirects. */
export const NOT_PAGES: readonly string[] = ['/monitors/:id/response-times.json', '/monitors/events', '/settings'];
