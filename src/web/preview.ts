/** Keeps the preview of a form up to date: renders the unsaved form into the frame beside it when typing pauses. */
const PAUSE_MS = 600;

const pane = document.querySelector<HTMLElement>('[data-preview]');
const form = pane?.closest('form');
if (pane && form) keepUpToDate(pane, form);

function keepUpToDate(aside: HTMLElement, edited: HTMLFormElement): void {
  const says = aside.querySelector<HTMLElement>('[data-says]')!;
  let frame = aside.querySelector('iframe')!;
  const { name } = frame;
  let count = 0;
  let waiting = 0;
  for (const one of aside.querySelectorAll<HTMLElement>('[data-without-script]')) one.hidden = true;

  const render = (): void => {
    if (!frame.checkVisibility()) return;
    // A frame that has shown nothing yet adds nothing to the history of the tab. The old one stays until it is filled.
    const old = frame;
    frame = old.cloneNode() as HTMLIFrameElement;
    frame.removeAttribute('src');
    frame.loading = 'eager';
    frame.classList.add('filling');
    // Chromium finds a frame by its first name, even once that has been changed.
    frame.name = `${name}-${(count += 1)}`;
    old.after(frame);
    const fresh = frame;
    fresh.addEventListener('load', () => {
      for (const other of aside.querySelectorAll('iframe')) if (other !== fresh) other.remove();
      fresh.classList.remove('filling');
      says.textContent = says.dataset.says!;
    });
    post(edited, aside.dataset.preview!, frame.name);
  };

  const renderSoon = (): void => {
    clearTimeout(waiting);
    waiting = setTimeout(render, PAUSE_MS);
  };
  edited.addEventListener('input', ({ target }) => {
    if (target instanceof Element && target.matches('[data-search]')) return;
    renderSoon();
  });
  document.addEventListener('swapped', renderSoon);
  if (!frame.hasAttribute('src')) render();
}

/** Sends a copy of a form to another address, without the events and checks of a submission. */
function post(from: HTMLFormElement, action: string, target: string): void {
  const copy = document.createElement('form');
  Object.assign(copy, { method: 'post', action, target, hidden: true });
  for (const [name, value] of new FormData(from)) {
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name, value });
    copy.append(field);
  }
  document.body.append(copy);
  // A field could be named like the method.
  HTMLFormElement.prototype.submit.call(copy);
  copy.remove();
}
