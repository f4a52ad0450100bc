/** Lets keys walk along the days of a history, each told in words as on hover. */
export const DAYS_SCRIPT = `'use strict';
for (const history of document.querySelectorAll('[data-days]')) {
  const bars = history.querySelector('svg.bars');
  const days = [...bars.querySelectorAll('g')];
  const told = history.querySelector('[data-day]');
  let at = days.length - 1;
  bars.setAttribute('tabindex', '0');
  function tell(index) {
    at = Math.min(days.length - 1, Math.max(0, index));
    for (const day of days) day.classList.toggle('chosen', day === days[at]);
    told.textContent = days[at].querySelector('title').textContent;
  }
  bars.addEventListener('focus', () => tell(at));
  bars.addEventListener('blur', () => days[at].classList.remove('chosen'));
  bars.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -days.length, End: days.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    tell(at + step);
  });
  days.forEach((day, index) => day.addEventListener('pointerenter', () => tell(index)));
}
`;
