/** The one script of the application. Every page works without it: it copies, and writes times as the reader has them. */
export const SCRIPT = `'use strict';
function writeTimes(root) {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    if ('relative' in time.dataset || 'since' in time.dataset) {
      time.title = at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
      continue;
    }
    time.title = time.textContent;
    time.textContent = at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: time.dataset.seconds ? 'medium' : 'short' });
  }
}
writeTimes(document);
for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  const label = button.firstChild;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    label.textContent = 'Copied';
    setTimeout(() => { label.textContent = 'Copy'; }, 2000);
  });
}
const theme = document.querySelector('form[data-theme-switch]');
theme?.addEventListener('submit', (event) => {
  const chosen = event.submitter?.value;
  if (!chosen) return;
  event.preventDefault();
  document.cookie = 'dw_theme=' + chosen + '; Path=/; SameSite=Lax; Max-Age=31536000';
  document.documentElement.dataset.theme = chosen;
  for (const one of theme.querySelectorAll('button')) one.setAttribute('aria-pressed', String(one === event.submitter));
});
// On narrow screens the parts of the application stand in one line that scrolls: the present one is not out of sight.
document.querySelector('.top [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
document.querySelector('.summary')?.focus();
`;
