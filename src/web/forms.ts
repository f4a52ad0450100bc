/** Enhancements for long forms: a question before edits are lost, rows on demand, and what has been typed elsewhere. */
import { addAssertions } from './assertion-rows.js';
import { guardEdits } from './edits.js';

for (const one of document.querySelectorAll<HTMLElement>('[data-without-script]')) one.hidden = true;
for (const one of document.querySelectorAll<HTMLElement>('[data-with-script]')) one.hidden = false;

for (const list of document.querySelectorAll<HTMLElement>('[data-assertions]')) addAssertions(list);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-guard]')) guardEdits(form);

// The heading describes what the page was opened with.
for (const section of document.querySelectorAll('[data-section]')) {
  section.addEventListener('input', () => section.querySelector('.brief')?.replaceChildren('edited'), { once: true });
}
