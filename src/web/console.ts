/** Enhancements for every page of the application. All pages work without them. */
import { enhance } from './enhance.js';

const COPIED_FOR_MS = 2_000;
const YEAR_SECONDS = 31_536_000;

enhance(document);

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  const button = target.closest<HTMLButtonElement>('button[data-copy]');
  if (button) void copyTextOf(button);
  closeMenus(target.closest('details.menu'));
});
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  const open = document.querySelector<HTMLElement>('details.menu[open] > summary');
  closeMenus(null);
  open?.focus();
});

async function copyTextOf(button: HTMLButtonElement): Promise<void> {
  const label = button.firstChild!;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy!)?.textContent ?? '');
  label.textContent = 'Copied';
  setTimeout(() => (label.textContent = 'Copy'), COPIED_FOR_MS);
}

/** Closes all open menus but this one. */
function closeMenus(but: Element | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
    if (menu !== but) menu.open = false;
  }
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

document.querySelector<HTMLElement>('.summary')?.focus();
