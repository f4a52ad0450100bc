/**
 * Selects monitors of the list: a box in the head selects all rows of the page, Shift and a click selects a range, and
 * the bar says how many are selected.
 */
import { tickRanges } from './ranges.js';

const BOX = 'input[name=id][type=checkbox]';

tickRanges(BOX);

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  if ('selectPage' in target.dataset) for (const box of boxesOfPage()) box.checked = target.checked;
  showCount();
});
document.addEventListener('swapped', prepare);

function boxesOfPage(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>(BOX)];
}

function showCount(): void {
  const boxes = boxesOfPage();
  const count = boxes.filter(({ checked }) => checked).length;
  const isAll = document.querySelector<HTMLInputElement>('[data-select-matching]')?.checked ?? false;
  const words = document.querySelector('[data-selected]');
  if (words) words.textContent = isAll ? 'All matching selected' : `${count} selected`;
  const ofPage = document.querySelector<HTMLInputElement>('[data-select-page]');
  if (!ofPage) return;
  ofPage.checked = count > 0 && count === boxes.length;
  ofPage.indeterminate = count > 0 && count < boxes.length;
}

/** The box in the head needs the script. */
function prepare(): void {
  for (const box of document.querySelectorAll<HTMLElement>('[data-select-page]')) box.hidden = false;
  showCount();
}

prepare();
