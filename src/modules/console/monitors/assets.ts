/** Files of `src/web` that the pages of monitors need. */
export const MONITOR_STYLES = ['days.css', 'monitors.css'];
export const FILTERS_SCRIPT = 'filters.js';
export const SELECTION_SCRIPT = 'selection.js';
export const OVERVIEW_SCRIPT = 'overview.js';
export const OVERVIEW_STYLE = 'overview.css';
export const LIVE_SCRIPT = 'live.js';
export const DAYS_SCRIPT = 'days.js';
export const CHART_SCRIPTS = ['uPlot.iife.min.js', 'chart.js'];
export const CHART_STYLE = 'uPlot.min.css';
