/** Lets Shift and a click on a box tick or clear all boxes since the one clicked before. */
export function tickRanges(boxes: string): void {
  let last: HTMLInputElement | null = null;
  document.addEventListener('click', (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || !box.matches(boxes)) return;
    const all = [...document.querySelectorAll<HTMLInputElement>(boxes)];
    const [from, to] = [last ? all.indexOf(last) : -1, all.indexOf(box)];
    if (event.shiftKey && from >= 0) {
      for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1)) one.checked = box.checked;
    }
    last = box;
  });
}
