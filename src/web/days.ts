/** Lets arrow keys move along the days of a history. Each day is described in words, as on hover. */
for (const history of document.querySelectorAll('[data-days]')) {
  const bars = history.querySelector<SVGElement>('svg.bars');
  const description = history.querySelector('[data-day]');
  if (bars && description) followKeys(bars, description);
}

function followKeys(bars: SVGElement, description: Element): void {
  const days = [...bars.querySelectorAll('g')];
  let at = days.length - 1;
  const choose = (index: number): void => {
    at = Math.min(days.length - 1, Math.max(0, index));
    for (const day of days) day.classList.toggle('chosen', day === days[at]);
    description.textContent = days[at]?.querySelector('title')?.textContent ?? '';
  };
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -days.length, End: days.length };
  bars.setAttribute('tabindex', '0');
  bars.addEventListener('focus', () => choose(at));
  bars.addEventListener('blur', () => days[at]?.classList.remove('chosen'));
  bars.addEventListener('keydown', (event) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(at + step);
  });
  days.forEach((day, index) => day.addEventListener('pointerenter', () => choose(index)));
}
