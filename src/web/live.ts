/**
 * Updates a page of monitors: follows the events that the page names and replaces the parts that changed, which take
 * the same space as before. A part that the reader is about to use is replaced once they leave it. While the page is
 * not visible, the connection is closed.
 */
import { now, setClock, writeAges } from './age.js';
import { writeTimes } from './times.js';

const WRITE_AGES_MS = 5_000;
/** Browsers do not connect again after a refusal, such as that of a service that is starting. */
const RETRY_MS = 30_000;
const LIVE = '● Live';
/** The state at the beginning of a title. */
const GLYPH = /^\S /;

interface Tab {
  title: string;
  icon: string;
}

interface MonitorUpdate {
  id: string;
  /** Markup by the name of its part. */
  parts: Record<string, string>;
}

interface CountsUpdate extends Omit<Tab, 'title'> {
  counts: Record<string, number>;
  glyph: string;
}

interface MarkedUpdate extends MonitorUpdate, Tab {
  mark: string;
}

/** Where the page says that it is live. */
interface Place {
  root: HTMLElement;
  word: Element;
  /** The link that loads the page again, which a live page does not need. */
  reload: HTMLElement | null;
  news: HTMLElement | null;
}

function placeIn(page: ParentNode): Place | null {
  const root = page.querySelector<HTMLElement>('[data-events]');
  const word = root?.querySelector('[data-live-word]');
  if (!root || !word) return null;
  return { root, word, reload: root.querySelector('[data-live-reload]'), news: root.querySelector('[data-live-new]') };
}

class LivePage {
  private created = 0;
  private source: EventSource | null = null;
  private retry = 0;
  /** Markup of parts that the reader is using. */
  private readonly waiting = new Map<Element, string>();
  private asOf: string | null = null;
  private restedAt: Date | null = null;

  constructor(private place: Place) {
    this.readClock();
    for (const type of ['pointerout', 'focusout', 'selectionchange']) {
      // Pointer and focus have their new position only after the event.
      document.addEventListener(type, () => {
        if (this.waiting.size > 0) setTimeout(() => this.putWaiting());
      });
    }
    document.addEventListener('visibilitychange', () => (document.hidden ? this.rest() : this.follow()));
    addEventListener('pagehide', () => this.rest());
    addEventListener('pageshow', () => this.follow());
    // The page shows other monitors, which are named by a new place.
    document.addEventListener('swapped', () => {
      const place = placeIn(document);
      if (!place || place.root === this.place.root) return;
      const isSame = place.root.dataset.events === this.place.root.dataset.events;
      const isLive = this.source?.readyState === EventSource.OPEN;
      this.place = place;
      this.readClock();
      this.waiting.clear();
      this.created = 0;
      this.asOf = null;
      // The parts are as new as events: the words stay while the page reconnects, because their width moves the header.
      if (isLive) this.showLive(true);
      if (isLive && isSame) return;
      this.rest();
      this.follow();
    });
    setInterval(() => writeAges(document), WRITE_AGES_MS);
    this.follow();
  }

  private follow(): void {
    if (document.hidden || this.source) return;
    const source = (this.source = new EventSource(this.place.root.dataset.events!));
    source.addEventListener('open', () => {
      // A new connection reports every monitor that was created since the page was rendered.
      this.created = 0;
      this.showLive(true);
    });
    source.addEventListener('error', () => {
      this.showLive(false);
      if (source.readyState !== EventSource.CLOSED) return;
      this.rest();
      this.retry = setTimeout(() => this.follow(), RETRY_MS);
    });
    this.on<MarkedUpdate>('monitor', (update) => {
      this.show(update);
      for (const root of rootsOf(update.id)) {
        if (root.dataset.tinted !== undefined) root.className = `${root.dataset.tinted} ${update.mark}`;
      }
      if (rootsOf(update.id).some((root) => 'tab' in root.dataset)) showTab(update);
    });
    this.on<{ ms: number }>('now', ({ ms }) => setClock(ms));
    this.on<MonitorUpdate>('evidence', (update) => this.show(update));
    this.on<CountsUpdate>('counts', ({ counts, glyph, icon }) => {
      const places = [...document.querySelectorAll<HTMLElement>('[data-live-state]')];
      const changed = places.filter((one) => showCount(one, counts));
      showTab({ title: document.title.replace(GLYPH, glyph), icon });
      if (changed.length > 0 || places.length === 0) document.dispatchEvent(new Event('counted'));
    });
    this.on<{ id: string }>('gone', ({ id }) => {
      for (const root of rootsOf(id)) {
        for (const one of root.querySelectorAll('[data-live=state],[data-live=sentence]')) one.textContent = 'Deleted';
      }
    });
    this.on<{ count: number }>('created', ({ count }) => this.announce(count));
  }

  /** The page contains the time at which it was rendered. */
  private readClock(): void {
    setClock(Number(this.place.root.dataset.now));
  }

  private showLive(isLive: boolean): void {
    const { root, word, reload } = this.place;
    root.dataset.known = '';
    if (isLive) this.restedAt = null;
    else {
      // What is shown was up to date until now, or until the page was hidden.
      const lost = word.textContent === LIVE ? (this.restedAt ?? new Date(now())) : null;
      if (lost) this.asOf = `As of ${lost.toISOString().slice(11, 19)} UTC.`;
      this.asOf ??= word.textContent;
    }
    word.textContent = isLive ? LIVE : `Not live. ${this.asOf}`;
    if (reload) reload.hidden = isLive;
  }

  private rest(): void {
    clearTimeout(this.retry);
    if (this.source?.readyState === EventSource.OPEN) this.restedAt = new Date(now());
    this.source?.close();
    this.source = null;
  }

  private on<Update>(type: string, take: (update: Update) => void): void {
    this.source!.addEventListener(type, (event: MessageEvent<string>) => take(JSON.parse(event.data) as Update));
  }

  private announce(count: number): void {
    const { root, news } = this.place;
    if ('liveFirst' in root.dataset) return location.reload();
    this.created += count;
    if (!news) return;
    news.textContent = this.created === 1 ? 'Show 1 new monitor' : `Show ${this.created} new monitors`;
    news.hidden = false;
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
  if (one.matches(':focus-within') || one.querySelector('a:hover')) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(one, true);
}

/** Shows a count, and returns whether it has changed. A state without monitors is hidden, unless it is a filter. */
function showCount(place: HTMLElement, counts: Readonly<Record<string, number>>): boolean {
  const number = place.querySelector('strong')!;
  const count = counts[place.dataset.liveState!] ?? 0;
  const text = count.toLocaleString('en');
  if (number.textContent === text) return false;
  number.textContent = text;
  place.hidden = count === 0 && place.querySelector('[aria-current]') === null;
  return true;
}

function showTab({ title, icon }: Tab): void {
  document.title = title;
  document.querySelector<HTMLLinkElement>('link[rel=icon]')!.href = icon;
}

const place = placeIn(document);
if (place) new LivePage(place);
