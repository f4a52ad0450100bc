/**
 * Keeps an open overview up to date: loads it again when the number of monitors in a state has changed, once its figures
 * are computed, and every minute for what else it shows, such as who has acknowledged an incident. While the reader uses
 * the keyboard, presses a link or selects text in it, it stays as it is.
 */
import { loadParts } from './swap.js';

const LEAST_GAP_MS = 2_000;
const FIGURES_MS = 1_500;
const EVERY_MS = 60_000;

let next = 0;

function refreshIn(ms: number): void {
  if (next !== 0) return;
  next = setTimeout(() => {
    next = 0;
    if (isInUse()) return refreshIn(LEAST_GAP_MS);
    // The state of the connection is shown beside the title; the next change tries again.
    void refresh().catch(() => undefined);
  }, ms);
}

async function refresh(): Promise<void> {
  // A reader may begin to use the page while it loads.
  const isComplete = await loadParts(location.href, { mayReplace: () => !isInUse() });
  if (!isComplete) refreshIn(LEAST_GAP_MS);
}

/** A link that is replaced between press and release loses its click. */
function isInUse(): boolean {
  const page = document.querySelector('[data-refresh]');
  return page?.querySelector(':focus-visible, a:active') != null || getSelection()?.isCollapsed === false;
}

function awaitFigures(): void {
  if (document.querySelector('[data-refresh=soon]')) refreshIn(FIGURES_MS);
}

setInterval(() => {
  if (!document.hidden && document.querySelector('[data-refresh]')) refreshIn(0);
}, EVERY_MS);
document.addEventListener('counted', () => refreshIn(LEAST_GAP_MS));
document.addEventListener('swapped', awaitFigures);
awaitFigures();
