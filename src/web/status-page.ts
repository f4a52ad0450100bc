/**
 * Enhancements for public pages, which work without them. Times are shown in the reader's time zone, days of a history
 * have tooltips, and an open page updates itself once a minute while it is visible. A failed update changes nothing,
 * because the page states its time.
 */
import { describeDays } from './days.js';
import { ReaderTimes } from './reader-times.js';

const LOOK_MS = 5_000;
const UPDATE_MS = 60_000;
/** Once a page is loaded, its styles, scripts and the images that its policy allows no longer change. */
const FIXED = 'meta[name=color-scheme], link[rel=stylesheet], script, .head img';
const PLACES = ['.head', 'main', 'footer'];

class OpenPage {
  private updatedAt = Date.now();
  private isUpdating = false;
  private shown: string | null = null;
  /** Screen readers announce changes in an element that persists. */
  private readonly news = document.createElement('p');

  constructor(
    private readonly root: HTMLElement,
    private readonly times: ReaderTimes,
  ) {
    this.news.className = 'hidden';
    this.news.setAttribute('aria-live', 'polite');
    document.body.prepend(this.news);
    document.addEventListener('visibilitychange', () => void this.follow());
    setInterval(() => void this.follow(), LOOK_MS);
  }

  private async follow(): Promise<void> {
    if (document.hidden || this.isUpdating || Date.now() - this.updatedAt < UPDATE_MS) return;
    this.updatedAt = Date.now();
    this.isUpdating = true;
    try {
      await this.update();
    } catch {
      // The next update may succeed.
    } finally {
      this.isUpdating = false;
    }
  }

  private async update(): Promise<void> {
    const answer = await fetch(location.href, { cache: 'no-cache', redirect: 'error' });
    const text = await answer.text();
    // The password prompt of the browser was not answered, and must not appear every minute.
    if (answer.status === 401) this.updatedAt = Infinity;
    if (!answer.ok || text === this.shown || this.isInUse()) return;
    const next = new DOMParser().parseFromString(text, 'text/html');
    // On a network with a sign-in page, something else may respond.
    const part = next.querySelector<HTMLElement>('[data-page]');
    if (!part) return;
    if (fixedIn(next) !== fixedIn(document)) return location.reload();
    this.show(part);
    document.title = next.title;
    iconOf(document).href = iconOf(next).href;
    this.shown = text;
  }

  private show(part: HTMLElement): void {
    const before = new Map([...this.root.querySelectorAll('details')].map((one) => [nameOf(one), one]));
    for (const details of part.querySelectorAll('details')) {
      const old = before.get(nameOf(details));
      // A group opens when one of its components gets into trouble.
      const isNews = details.dataset.trouble === 'true' && old?.dataset.trouble !== 'true';
      if (old && !isNews) details.open = old.open;
    }
    this.times.show(part);
    describeDays(part);
    const sentence = sentenceIn(part);
    if (sentence !== sentenceIn(this.root)) this.news.textContent = sentence;
    for (const selector of PLACES) {
      const [old, fresh] = [this.root.querySelector(selector), part.querySelector(selector)];
      // Replacing an image with an identical one would make it flicker.
      if (old && fresh && !old.isEqualNode(fresh)) old.replaceWith(fresh);
    }
  }

  /** Returns whether the reader uses the keyboard or selects text, and would lose their place. */
  private isInUse(): boolean {
    return this.root.querySelector(':focus-visible') !== null || getSelection()?.isCollapsed === false;
  }
}

/** Returns what identifies a part that readers can open. The summary of a group changes with its state. */
function nameOf(details: HTMLDetailsElement): string {
  return details.dataset.group ?? details.querySelector('summary')?.textContent ?? '';
}

/** Returns the overall state in words, without its duration, which would be announced at each update. */
function sentenceIn(part: HTMLElement): string {
  const sentence = part.querySelector('.overall')?.cloneNode(true) as Element | undefined;
  for (const lasting of sentence?.querySelectorAll('.lasting') ?? []) lasting.remove();
  return sentence?.textContent ?? '';
}

function fixedIn(page: Document): string {
  return [...page.querySelectorAll(FIXED)].map((one) => one.outerHTML).join('');
}

function iconOf(page: Document): HTMLLinkElement {
  return page.querySelector<HTMLLinkElement>('link[rel=icon]')!;
}

const root = document.querySelector<HTMLElement>('[data-page]');
if (root) {
  const times = new ReaderTimes();
  times.show(root);
  times.followSwitch(root);
  new OpenPage(root, times);
}
