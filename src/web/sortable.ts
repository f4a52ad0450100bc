/**
 * Orders the groups and components of a status page: by dragging their handles, with the arrow keys on a handle, and by
 * the buttons that otherwise send the form. The order is one field of the form, so nothing else changes.
 */
const list = document.querySelector<HTMLElement>('[data-sortable]');
if (list) sortable(list);

function sortable(root: HTMLElement): void {
  const news = root.querySelector<HTMLElement>('[data-moves]')!;

  const prepare = (): void => {
    for (const handle of root.querySelectorAll<HTMLElement>('[data-handle]')) handle.hidden = false;
    // Their handle does the same by keyboard.
    for (const step of root.querySelectorAll<HTMLElement>('[data-step]')) step.tabIndex = -1;
  };
  prepare();
  document.addEventListener('swapped', prepare);

  const moved = (item: HTMLElement): void => {
    const layout = root.querySelector<HTMLInputElement>('[data-layout]')!;
    layout.value = itemsIn(root)
      .map(({ dataset }) => dataset.token)
      .join(' ');
    const siblings = [...item.parentElement!.children];
    news.textContent = `Moved ${item.dataset.name!} to position ${siblings.indexOf(item) + 1} of ${siblings.length}.`;
    layout.dispatchEvent(new Event('input', { bubbles: true }));
  };

  root.addEventListener('click', (event) => {
    const button = closest<HTMLButtonElement>(event.target, '[data-step]');
    if (!button) return;
    event.preventDefault();
    const item = itemOf(button);
    if (step(item, button.value.startsWith('up:') ? -1 : 1)) moved(item);
  });

  root.addEventListener('keydown', (event) => {
    const handle = closest<HTMLElement>(event.target, '[data-handle]');
    if (!handle || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    const item = itemOf(handle);
    if (!step(item, event.key === 'ArrowUp' ? -1 : 1)) return;
    // An element that moves in the document loses the focus.
    handle.focus();
    moved(item);
  });

  root.addEventListener('pointerdown', (event) => {
    const handle = closest<HTMLElement>(event.target, '[data-handle]');
    if (!handle || event.button !== 0) return;
    drag(root, handle, event.pointerId, moved);
  });
}

/** Follows the pointer until it is released, and then moves the item of the handle to the marked place. */
function drag(root: HTMLElement, handle: HTMLElement, pointerId: number, moved: (item: HTMLElement) => void): void {
  const item = itemOf(handle);
  const ended = new AbortController();
  const { signal } = ended;
  let place: Place | null = null;
  handle.setPointerCapture(pointerId);
  item.classList.add('dragged');
  const mark = (next: Place | null): void => {
    place?.mark.classList.remove('drop-before', 'drop-after');
    place = next;
    place?.mark.classList.add(place.before ? 'drop-before' : 'drop-after');
  };
  const end = (drops: boolean): void => {
    const chosen = place;
    mark(null);
    item.classList.remove('dragged');
    ended.abort();
    if (!drops || !chosen) return;
    chosen.list.insertBefore(item, chosen.before);
    handle.focus();
    moved(item);
  };
  handle.addEventListener('pointermove', ({ clientY }) => mark(placeAt(root, item, clientY)), { signal });
  handle.addEventListener('pointerup', () => end(true), { signal });
  handle.addEventListener('pointercancel', () => end(false), { signal });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal });
}

/** A place to drop an item: in a list, before an element of it or at its end. */
interface Place {
  list: Element;
  before: Element | null;
  /** The element that shows the place. */
  mark: Element;
}

/** Returns the place at a height of the window; null if it is that of the item itself. */
function placeAt(root: HTMLElement, item: HTMLElement, y: number): Place | null {
  const lists = [...root.querySelectorAll(isGroup(item) ? '[data-groups]' : '.page-rows')];
  const list = lists.findLast((one) => one.parentElement!.getBoundingClientRect().top <= y) ?? lists[0];
  if (!list) return null;
  const others = [...list.children].filter((one) => one !== item);
  const before = others.find((one) => middleOf(one) > y) ?? null;
  if (item.parentElement === list && item.nextElementSibling === before) return null;
  return { list, before, mark: before ?? others.at(-1) ?? list };
}

/** Moves an item by one place, a component also into the neighbouring group. Returns whether there is such a place. */
function step(item: HTMLElement, by: -1 | 1): boolean {
  const sibling = by === -1 ? item.previousElementSibling : item.nextElementSibling;
  if (sibling) {
    if (by === -1) sibling.before(item);
    else sibling.after(item);
    return true;
  }
  if (isGroup(item)) return false;
  const group = itemOf(item.parentElement!);
  const next = by === -1 ? group.previousElementSibling : group.nextElementSibling;
  const list = next?.querySelector('.page-rows');
  if (by === -1) list?.append(item);
  else list?.prepend(item);
  return list != null;
}

function itemsIn(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-token]')];
}

function itemOf(part: Element): HTMLElement {
  return part.closest<HTMLElement>('[data-token]')!;
}

function isGroup(item: HTMLElement): boolean {
  return item.parentElement?.matches('[data-groups]') ?? false;
}

function middleOf(one: Element): number {
  const { top, height } = one.getBoundingClientRect();
  return top + height / 2;
}

function closest<T extends Element>(target: EventTarget | null, selector: string): T | null {
  return target instanceof Element ? target.closest<T>(selector) : null;
}
