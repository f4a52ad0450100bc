/**
 * Updates a page of monitors: follows the events that the page names and replaces the parts that changed, which take
 * the same space as before. A part that the reader is about to use is replaced once they leave it. While the page is
 * not visible, the connection is closed.
 */
import { ageText } from './age.js';
import { writeTimes } from './times.js';

const WRITE_AGES_MS = 5_000;

interface Tab {
  title: string;
  icon: string;
}

interface MonitorUpdate {
  id: string;
  /** Markup by the name of its part. */
  parts: Record<string, string>;
}

class LivePage {
  private created = 0;
  private source: EventSource | null = null;
  /** Markup of parts that the reader is using. */
  private readonly waiting = new Map<Element, string>();
  private readonly asOf: string | null;

  constructor(
    private readonly place: HTMLElement,
    private readonly word: Element,
    private readonly news: HTMLElement | null,
  ) {
    this.asOf = word.textContent;
    for (const type of ['pointerout', 'focusout', 'selectionchange']) {
      // Pointer and focus have their new position only after the event.
      document.addEventListener(type, () => {
        if (this.waiting.size > 0) setTimeout(() => this.putWaiting());
      });
    }
    document.addEventListener('visibilitychange', () => (document.hidden ? this.rest() : this.follow()));
    addEventListener('pagehide', () => this.rest());
    addEventListener('pageshow', () => this.follow());
    setInterval(() => writeAges(document), WRITE_AGES_MS);
    this.follow();
  }

  private follow(): void {
    if (document.hidden || this.source) return;
    const source = (this.source = new EventSource(this.place.dataset.events!));
    source.addEventListener('open', () => (this.word.textContent = '● Live'));
    source.addEventListener('error', () => (this.word.textContent = `Not live. ${this.asOf}`));
    this.on<MonitorUpdate & Tab>('monitor', (update) => {
      this.show(update);
      if (rootsOf(update.id).some((root) => 'tab' in root.dataset)) showTab(update);
    });
    this.on<MonitorUpdate>('evidence', (update) => this.show(update));
    this.on<Tab & { html: string }>('counts', (update) => {
      for (const one of document.querySelectorAll('[data-live-counts]')) this.put(one, update.html);
      showTab(update);
    });
    this.on<{ id: string }>('gone', ({ id }) => {
      for (const root of rootsOf(id)) {
        for (const one of root.querySelectorAll('[data-live=state],[data-live=sentence]')) one.textContent = 'Deleted';
      }
    });
    this.on<{ count: number }>('created', ({ count }) => this.announce(count));
  }

  private rest(): void {
    this.source?.close();
    this.source = null;
  }

  private on<Update>(type: string, take: (update: Update) => void): void {
    this.source!.addEventListener(type, (event: MessageEvent<string>) => take(JSON.parse(event.data) as Update));
  }

  private announce(count: number): void {
    if ('liveFirst' in this.place.dataset) return location.reload();
    this.created += count;
    if (!this.news) return;
    this.news.textContent = this.created === 1 ? '1 new monitor: show' : `${this.created} new monitors: show`;
    this.news.hidden = false;
  }

  private show({ id, parts }: MonitorUpdate): void {
    for (const root of rootsOf(id)) {
      for (const [part, html] of Object.entries(parts)) {
        for (const one of root.querySelectorAll(`[data-live="${part}"]`)) this.put(one, html);
      }
    }
  }

  private put(one: Element, html: string): void {
    if (isInUse(one)) {
      this.waiting.set(one, html);
      return;
    }
    this.waiting.delete(one);
    one.innerHTML = html;
    writeTimes(one);
  }

  private putWaiting(): void {
    for (const [one, html] of this.waiting) this.put(one, html);
  }
}

function rootsOf(id: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[data-monitor="${CSS.escape(id)}"]`)];
}

/** Returns whether the reader points at a link in it, has the focus in it or selects text in it. */
function isInUse(one: Element): boolean {
  if (!one.querySelector('a')) return false;
  if (one.matches(':focus-within') || one.querySelector('a:hover')) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(one, true);
}

function showTab({ title, icon }: Tab): void {
  document.title = title;
  document.querySelector<HTMLLinkElement>('link[rel=icon]')!.href = icon;
}

function writeAges(root: ParentNode): void {
  for (const one of root.querySelectorAll<HTMLElement>('[data-since]')) {
    const text = ageText(Date.now() - Date.parse(one.dataset.since!));
    if (one.textContent !== text) one.textContent = text;
  }
}

const place = document.querySelector<HTMLElement>('[data-events]');
const word = place?.querySelector('[data-live-word]');
if (place && word) new LivePage(place, word, place.querySelector('[data-live-new]'));
