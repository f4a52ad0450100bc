/**
 * Keyboard shortcuts of every page: `/` goes to the search, `n` creates what the page lists, `g` and a letter go to a
 * section, `?` lists them all. They do nothing while the reader types, never replace a shortcut of the browser, and can
 * be turned off in the list, since people who speak to their computer press single keys by accident.
 */
const SEQUENCE_MS = 1_500;

let goPressedAt = -Infinity;

document.addEventListener('keydown', (event) => {
  if (areOff()) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
  const place = placeOf(event.key);
  if (event.key === 'g') goPressedAt = event.timeStamp;
  if (!place) return;
  event.preventDefault();
  if (place instanceof HTMLDialogElement) place.showModal();
  else if (place instanceof HTMLAnchorElement) place.click();
  else place.focus();
});

/** The setting of this browser. */
const OFF = 'shortcuts-off';

function areOff(): boolean {
  try {
    return localStorage.getItem(OFF) !== null;
  } catch {
    // Storage may be blocked.
    return false;
  }
}

function turn(on: boolean): void {
  try {
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, '');
  } catch {
    // The setting cannot be remembered.
  }
}

const choice = document.querySelector<HTMLInputElement>('[data-shortcuts-on]');
if (choice) {
  choice.checked = !areOff();
  choice.addEventListener('change', () => turn(choice.checked));
}

for (const button of document.querySelectorAll<HTMLElement>('[data-opens]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const dialog = document.getElementById(button.dataset.opens!);
    if (dialog instanceof HTMLDialogElement) dialog.showModal();
  });
}

/** Returns what a key leads to on this page: a link, a field, or the list of shortcuts. */
function placeOf(key: string): HTMLElement | null {
  if (performance.now() - goPressedAt < SEQUENCE_MS) {
    goPressedAt = -Infinity;
    return hotkeyOf(`g ${key}`);
  }
  return hotkeyOf(key);
}

function hotkeyOf(keys: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-hotkey="${CSS.escape(keys)}"]`);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea, [contenteditable], dialog') !== null;
}
