/** Files of `src/web` that the pages of incidents need. The filters and the state look like those of monitors. */
export const INCIDENT_STYLES = ['monitors.css', 'incidents.css'];
export const FOLLOW_SCRIPT = 'follow.js';
