import { writeTimes } from './times.js';

/** Enhances a page, or a part that was added to it: times in the reader's time zone, and buttons that copy. */
export function enhance(root: ParentNode): void {
  writeTimes(root);
  // Browsers offer the clipboard over HTTPS and on localhost only.
  if (!('clipboard' in navigator)) return;
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) button.hidden = false;
}
