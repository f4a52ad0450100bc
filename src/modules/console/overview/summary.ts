import { type Mark } from '../../../html/marks.js';
import { type MonitorCounts } from '../../monitors/state/monitor-counts.service.js';

/** Returns the state of all monitors together in one sentence. */
export function summaryOf(counts: MonitorCounts): { mark: Mark; sentence: string } {
  const count = (status: Parameters<MonitorCounts['get']>[0]): number => counts.get(status) ?? 0;
  if (count('down') > 0) return { mark: 'down', sentence: `${monitors(count('down'))} down` };
  if (count('degraded') > 0) return { mark: 'degraded', sentence: `${monitors(count('degraded'))} degraded` };
  if (count('unknown') > 0) return { mark: 'unknown', sentence: `${monitors(count('unknown'))} without data` };
  if (count('up') > 0) return { mark: 'up', sentence: 'No monitors are down' };
  if (count('maintenance') > 0) return { mark: 'maintenance', sentence: 'Under maintenance' };
  if (count('pending') > 0) return { mark: 'unknown', sentence: 'Waiting for the first results' };
  return count('paused') > 0
    ? { mark: 'paused', sentence: 'All monitors are paused' }
    : { mark: 'unknown', sentence: 'No monitors yet' };
}

function monitors(count: number): string {
  return count === 1 ? '1 monitor' : `${count.toLocaleString('en')} monitors`;
}
