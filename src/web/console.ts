/** Enhancements for every page of the application. All pages work without them. */
import { writeTimes } from './times.js';

const COPIED_FOR_MS = 2_000;
const YEAR_SECONDS = 31_536_000;

writeTimes(document);

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  // Browsers offer the clipboard over HTTPS and on localhost only.
  if (!('clipboard' in navigator)) continue;
  button.hidden = false;
  const label = button.firstChild!;
  button.addEventListener('click', () => {
    const text = document.getElementById(button.dataset.copy!)?.textContent ?? '';
    void navigator.clipboard.writeText(text).then(() => {
      label.textContent = 'Copied';
      setTimeout(() => (label.textContent = 'Copy'), COPIED_FOR_MS);
    });
  });
}

const theme = document.querySelector<HTMLFormElement>('form[data-theme-switch]');
theme?.addEventListener('submit', (event) => {
  const chosen = event.submitter;
  if (!(chosen instanceof HTMLButtonElement)) return;
  event.preventDefault();
  document.cookie = `dw_theme=${chosen.value}; Path=/; SameSite=Lax; Max-Age=${YEAR_SECONDS}`;
  document.documentElement.dataset.theme = chosen.value;
  for (const one of theme.querySelectorAll('button')) one.setAttribute('aria-pressed', String(one === chosen));
});

// On narrow screens the navigation is a line that scrolls: the current section must be visible.
document.querySelector('.top [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
document.querySelector<HTMLElement>('.summary')?.focus();
