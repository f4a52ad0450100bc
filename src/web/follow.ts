/**
 * Keeps a page up to date: requests it again while it is visible, by its version, and replaces the marked parts when it
 * has changed. A part that the reader is using is replaced once they leave it. Forms stay as they are.
 */
import { now, setClock, writeAges } from './age.js';
import { swapParts } from './swap.js';

const EVERY_MS = 5_000;

const place = document.querySelector<HTMLElement>('[data-follow]');
if (place) follow(place);

function follow(place: HTMLElement): void {
  const word = place.querySelector('[data-live-word]')!;
  const reload = place.querySelector<HTMLElement>('[data-live-reload]')!;
  let asOf = word.textContent;
  let version = place.dataset.version!;
  let next = 0;
  setClock(Number(place.dataset.now));
  let isLooking = false;

  const look = async (): Promise<void> => {
    let isLive = false;
    isLooking = true;
    try {
      const headers = { accept: 'text/html', 'if-none-match': version };
      const answer = await fetch(place.dataset.follow!, { headers, cache: 'no-store' });
      // A response of another page means that the session has ended.
      isLive = answer.status === 304 || (answer.ok && !answer.redirected);
      if (isLive) setClock(Date.parse(answer.headers.get('date') ?? ''));
      if (isLive && answer.ok) {
        const loaded = new DOMParser().parseFromString(await answer.text(), 'text/html');
        if (swapParts(loaded, isFree)) version = answer.headers.get('etag') ?? version;
        showTab(loaded);
      }
    } catch {
      // The service cannot be reached: the page says so, and tries again.
    }
    if (isLive)
      asOf = `As of ${new Date(now()).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })}.`;
    place.dataset.known = '';
    word.textContent = isLive ? '● Live' : `Not live. ${asOf}`;
    reload.hidden = isLive;
    writeAges(document);
    isLooking = false;
    // A page that was hidden meanwhile requests nothing until it is visible again.
    if (!document.hidden) next = setTimeout(() => void look(), EVERY_MS);
  };
  const lookIfVisible = (): void => {
    clearTimeout(next);
    if (!document.hidden && !isLooking) void look();
  };
  document.addEventListener('visibilitychange', lookIfVisible);
  lookIfVisible();
}

/** Returns whether the reader has neither the pointer nor the focus nor an open menu in the part, and selects no text. */
function isFree(part: HTMLElement): boolean {
  if (part.matches(':focus-within') || part.querySelector(':is(a, button):hover, details[open]')) return false;
  const selection = getSelection();
  return !selection || selection.isCollapsed || !selection.containsNode(part, true);
}

function showTab(loaded: Document): void {
  document.title = loaded.title;
  const icon = (page: Document) => page.querySelector<HTMLLinkElement>('link[rel=icon]');
  icon(document)!.href = icon(loaded)?.getAttribute('href') ?? icon(document)!.href;
}

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  if (event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit();
});
