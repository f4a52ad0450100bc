/**
 * Enhancements for forms: search boxes search on Enter, the time zone defaults to the reader's, colours get a picker, and
 * the steps of editors do not load the page anew.
 */
import { tickRanges } from './ranges.js';
import './steps.js';

const COLOUR = /^#[0-9a-f]{6}$/i;

tickRanges('.picker input[name=pick]');

// Otherwise Enter would press the first button of the form.
for (const box of document.querySelectorAll<HTMLInputElement>('input[data-search]')) {
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    document.getElementById(box.dataset.search!)?.click();
  });
}

for (const field of document.querySelectorAll<HTMLInputElement>('input[data-own-zone]')) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || field.value;
}

for (const picker of document.querySelectorAll<HTMLInputElement>('input[data-colour-of]')) {
  const field = document.getElementById(picker.dataset.colourOf!);
  if (!(field instanceof HTMLInputElement)) continue;
  const show = (): void => {
    const typed = field.value.trim();
    picker.value = COLOUR.test(typed) ? typed.toLowerCase() : picker.defaultValue;
  };
  field.addEventListener('input', show);
  picker.addEventListener('input', () => (field.value = picker.value));
  show();
  picker.hidden = false;
}
