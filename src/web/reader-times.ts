import { localText } from './local-text.js';
import { dayText, daysIn, IN_FULL, momentsIn } from './times.js';

const REMEMBERED_AS = 'daywatch-times';
/** The time zone of the reader. */
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Shows the times of a public page in the reader's time zone and language, or in those of the page. */
export class ReaderTimes {
  private isLocal = remembered() !== 'page';

  /** Shows the times below an element, which the server has rendered or this has shown before. */
  show(root: ParentNode): void {
    const now = new Date();
    for (const { time, at } of momentsIn(root)) {
      const { dataset } = time;
      const text = (dataset.text ??= time.textContent ?? '');
      const title = (dataset.title ??= time.title);
      // The text of an element with `data-since` is a duration.
      const isLocal = this.isLocal && !('since' in dataset);
      time.textContent = isLocal ? localText(at, now) : text;
      time.title = isLocal ? `${text}\n${title}` : `${title}\n${at.toLocaleString(undefined, IN_FULL)} (your time)`;
    }
    for (const { time, at } of daysIn(root)) {
      const text = (time.dataset.text ??= time.textContent ?? '');
      time.textContent = this.isLocal ? dayText(at) : text;
    }
    for (const zone of root.querySelectorAll<HTMLElement>('[data-zone]')) {
      zone.textContent = this.isLocal ? `your time zone, ${OWN_ZONE}` : zone.dataset.zone!;
      const button = root.querySelector<HTMLButtonElement>('[data-switch]');
      if (!button) continue;
      button.textContent = this.isLocal ? `Show times in ${zone.dataset.zone}` : 'Show local times';
      button.hidden = zone.dataset.zone === OWN_ZONE;
    }
  }

  /** Lets the button below an element switch between the time zones. The choice is remembered. */
  followSwitch(root: HTMLElement): void {
    root.addEventListener('click', ({ target }) => {
      if (!(target instanceof Element && target.closest('[data-switch]'))) return;
      this.isLocal = !this.isLocal;
      remember(this.isLocal ? 'local' : 'page');
      this.show(root);
    });
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(REMEMBERED_AS);
  } catch {
    // Storage may be blocked.
    return null;
  }
}

function remember(choice: string): void {
  try {
    localStorage.setItem(REMEMBERED_AS, choice);
  } catch {
    // The choice lasts as long as the page is open.
  }
}
