/**
 * Performs the steps of an editor, such as adding the ticked monitors or a group, without loading the page anew: sends
 * the form as the button would, and replaces the parts that depend on it. Searches while the reader types.
 */
import { contentsOf, loadPage, swapParts } from './swap.js';

const TYPING_MS = 250;

let running: Promise<void> | null = null;
/** The button whose step is sent by the browser itself, because it could not be performed here. */
let failed: HTMLElement | null = null;

// Before listeners of the form, which take a submission for the end of editing.
document.addEventListener(
  'submit',
  (event) => {
    const { target: form, submitter } = event;
    const place = submitter?.closest<HTMLElement>('[data-in-place]');
    if (!place || submitter === failed || !(form instanceof HTMLFormElement)) return;
    event.preventDefault();
    if (running) void running.then(() => pressAgain(submitter!, place));
    else running = perform(form, submitter!, place).finally(() => (running = null));
  },
  { capture: true },
);

for (const box of document.querySelectorAll<HTMLInputElement>('[data-in-place] input[data-search]')) {
  let typing = 0;
  const search = async (): Promise<void> => {
    while (running) await running;
    document.getElementById(box.dataset.search!)?.click();
  };
  box.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => void search(), TYPING_MS);
  });
}

/** Presses a button that was pressed during another step, unless it names a field: the step may have renamed that. */
function pressAgain(button: HTMLElement, place: HTMLElement): void {
  const selector = controlIn(button);
  if (selector !== null && !button.getAttribute('value')?.includes(':')) {
    place.querySelector<HTMLElement>(selector)?.click();
  }
}

async function perform(form: HTMLFormElement, button: HTMLElement, place: HTMLElement): Promise<void> {
  try {
    let body = contentsOf(form, button);
    for (;;) {
      const loaded = await loadPage(form.action, { method: 'POST', body });
      const now = contentsOf(form, button);
      // A step stores nothing, so it is repeated with what has been typed or ticked meanwhile.
      if (now.toString() === body.toString()) {
        show(loaded, button, place);
        return;
      }
      body = now;
    }
  } catch {
    // The browser shows why.
    failed = button;
    form.requestSubmit(button);
  }
}

function show(loaded: Document, button: HTMLElement, place: HTMLElement): void {
  const used = controlIn(document.activeElement);
  // What is chosen above the search must not move the search that the reader is using.
  const fixed = button.closest('.picker')?.querySelector('input[data-search]');
  const top = fixed?.getBoundingClientRect().top ?? 0;
  swapParts(loaded);
  const isLost = document.activeElement === document.body;
  if (isLost && used) place.querySelector<HTMLElement>(used)?.focus();
  place.querySelector<HTMLElement>('[autofocus]')?.focus();
  if (document.activeElement === document.body) place.focus();
  if (fixed) scrollBy(0, fixed.getBoundingClientRect().top - top);
}

/** Returns a selector of the control that takes the place of this one. */
function controlIn(element: Element | null): string | null {
  if (!(element instanceof HTMLElement)) return null;
  if (element.id !== '') return `#${CSS.escape(element.id)}`;
  const { name = '', value = '' } = element as HTMLButtonElement;
  return name === '' ? null : `[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`;
}
