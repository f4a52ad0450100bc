/**
 * Describes the days of a history in a tooltip, at once, on hover, tap and focus. Arrow keys move along the days.
 * Without this script, the browser shows the same words, after a while and only on hover.
 */

/** A day's bar, and the words that were its title. */
interface Day {
  bar: SVGGElement;
  words: string;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};

/** Closes the tooltip that is open; there is at most one. */
let close = (): void => undefined;

/** Describes the days of all histories below an element. Call it once for each of them. */
export function describeDays(root: ParentNode): void {
  for (const history of root.querySelectorAll<HTMLElement>('[data-days]')) {
    const bars = history.querySelector<SVGElement>('svg.bars');
    if (bars) describeHistory(history, bars);
  }
}

function describeHistory(history: HTMLElement, bars: SVGElement): void {
  const tooltip = document.createElement('div');
  tooltip.className = 'tooltip';
  // Announces the day that the arrow keys have moved to.
  tooltip.setAttribute('role', 'status');
  tooltip.hidden = true;
  history.append(tooltip);

  let days: Day[] | null = null;
  let at = Infinity;
  const leave = (): void => {
    tooltip.hidden = true;
    for (const { bar } of days ?? []) bar.classList.remove('chosen');
  };
  const choose = (index: number): void => {
    if (close !== leave) close();
    close = leave;
    // Not earlier, because a page may have thousands of days, of which its reader looks at a few.
    days ??= daysOf(bars);
    at = Math.min(days.length - 1, Math.max(0, index));
    days.forEach(({ bar }, day) => bar.classList.toggle('chosen', day === at));
    const { bar, words } = days[at]!;
    tooltip.textContent = words;
    tooltip.hidden = false;
    place(tooltip, bar, history);
  };

  bars.setAttribute('tabindex', '0');
  bars.addEventListener('focus', () => choose(at));
  bars.addEventListener('blur', leave);
  bars.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') leave();
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(at + step);
  });
  bars.addEventListener('pointerover', ({ target }) => {
    const bar = target instanceof Element ? target.closest('g') : null;
    if (bar) choose([...bars.querySelectorAll('g')].indexOf(bar));
  });
  bars.addEventListener('pointerleave', ({ pointerType }) => {
    // A finger leaves when it is lifted, but the reader has not read the text yet.
    if (pointerType === 'mouse' && document.activeElement !== bars) leave();
  });
}

/** Takes the titles from the bars: otherwise the browser would show its own tooltip, too. */
function daysOf(bars: SVGElement): Day[] {
  return [...bars.querySelectorAll('g')].map((bar) => {
    const title = bar.querySelector('title');
    title?.remove();
    return { bar, words: title?.textContent ?? '' };
  });
}

/** Places a tooltip above a bar, within the width of the history. */
function place(tooltip: HTMLElement, bar: SVGGElement, history: HTMLElement): void {
  const [around, box] = [history.getBoundingClientRect(), bar.getBoundingClientRect()];
  const middle = box.left - around.left + box.width / 2 - tooltip.offsetWidth / 2;
  const left = Math.max(0, Math.min(around.width - tooltip.offsetWidth, middle));
  tooltip.style.left = `${left}px`;
  tooltip.style.top = `${box.top - around.top - tooltip.offsetHeight - 8}px`;
}

document.addEventListener('pointerdown', ({ target }) => {
  if (!(target instanceof Element && target.closest('[data-days] svg.bars'))) close();
});
describeDays(document);
