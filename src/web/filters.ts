/**
 * Applies the filters of a list as they change: loads the list with them, replaces the parts of the page that depend on
 * them, and writes them into its address. The field that the reader uses is not replaced, so that it keeps the focus.
 */
import { loadParts } from './swap.js';

const TYPING_MS = 250;
const COUNTING_MS = 1_000;

const form = document.querySelector<HTMLFormElement>('form[data-filters]');
if (form) apply(form);

function apply(filters: HTMLFormElement): void {
  for (const one of filters.querySelectorAll<HTMLElement>('[data-without-script]')) one.hidden = true;
  let typing = 0;
  let counting = 0;
  let latest: AbortController | null = null;
  // What was typed before this script ran, or restored by the browser, is not shown yet.
  let shown = isChanged(filters) ? '' : addressOf(filters);

  const load = async (address: string): Promise<void> => {
    // Leaving a field repeats its last change. Rows that are replaced then would lose the click that leaves the field.
    if (address === shown) return;
    shown = address;
    latest?.abort();
    const mine = (latest = new AbortController());
    try {
      await loadParts(address, { signal: mine.signal });
      history.replaceState(null, '', address);
    } catch {
      // The browser shows why.
      if (!mine.signal.aborted) location.assign(address);
    }
  };
  const loadChosen = (): void => {
    clearTimeout(typing);
    void load(addressOf(filters));
  };

  filters.addEventListener('change', loadChosen);
  filters.addEventListener('submit', (event) => {
    event.preventDefault();
    loadChosen();
  });
  filters.addEventListener('input', (event) => {
    if (!(event.target instanceof HTMLInputElement)) return;
    clearTimeout(typing);
    typing = setTimeout(loadChosen, TYPING_MS);
  });
  // The update has the counts of the whole team, but a narrowed list shows those of what matches.
  document.addEventListener('counted', () => {
    if (counting !== 0 || document.querySelector('[data-live-state]')) return;
    counting = setTimeout(() => {
      counting = 0;
      void loadParts(location.href, { mayReplace: isFreeChips }).catch(() => undefined);
    }, COUNTING_MS);
  });
  if (shown === '') loadChosen();
}

function isFreeChips(part: HTMLElement): boolean {
  return part.dataset.swap === 'chips' && part.querySelector(':focus-visible, a:active') === null;
}

function isChanged(filters: HTMLFormElement): boolean {
  return [...filters.querySelectorAll('input')].some(({ value, defaultValue }) => value !== defaultValue);
}

function addressOf(filters: HTMLFormElement): string {
  const chosen = [...new FormData(filters)].filter(([, value]) => typeof value === 'string' && value.trim() !== '');
  const query = new URLSearchParams(chosen as [string, string][]).toString();
  return query === '' ? filters.action : `${filters.action}?${query}`;
}
