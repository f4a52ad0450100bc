import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { asset } from '../html/assets.js';
import { CHART_SCRIPT } from './html/script-chart.js';
import { DAYS_SCRIPT } from './html/script-days.js';
import { LIVE_SCRIPT } from './html/script-live.js';
import { MONITORS_STYLE } from './html/style-monitors.js';

/** A file of uPlot as it was released: it is sent by this service, and by no other. */
function ofUPlot(file: string): string {
  return readFileSync(createRequire(import.meta.url).resolve(`uplot/dist/${file}`), 'utf8');
}

export const MONITORS_STYLE_PATH = asset('monitors', 'css', MONITORS_STYLE);
export const LIVE_SCRIPT_PATH = asset('live', 'js', LIVE_SCRIPT);
export const DAYS_SCRIPT_PATH = asset('days', 'js', DAYS_SCRIPT);
export const CHART_SCRIPT_PATHS = [
  asset('uplot', 'js', ofUPlot('uPlot.iife.min.js')),
  asset('chart', 'js', CHART_SCRIPT),
];
export const CHART_STYLE_PATH = asset('uplot', 'css', ofUPlot('uPlot.min.css'));
