/** Keeps the sentence that describes an unsaved form up to date: asks the service for it when typing pauses. */
import { contentsOf, loadPage, swapParts } from './swap.js';

const PAUSE_MS = 300;

const box = document.querySelector<HTMLElement>('[data-sentence]');
const form = box?.closest('form');
if (form) keepUpToDate(form);

function keepUpToDate(edited: HTMLFormElement): void {
  let waiting = 0;
  let latest: AbortController | null = null;

  const update = async (): Promise<void> => {
    latest?.abort();
    const mine = (latest = new AbortController());
    const body = contentsOf(edited);
    // The button that updates the sentence without the script.
    body.set('do', 'refresh');
    try {
      const loaded = await loadPage(edited.action, { method: 'POST', body, signal: mine.signal });
      swapParts(loaded, (part) => part.dataset.swap === 'sentence');
    } catch {
      // The old sentence stays; saving shows what is wrong.
    }
  };

  edited.addEventListener('input', ({ target }) => {
    if (target instanceof Element && target.matches('[data-search]')) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => void update(), PAUSE_MS);
  });
}
