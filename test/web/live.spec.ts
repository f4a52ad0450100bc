import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { now as serviceNow } from '../../src/web/age.js';
import { runScript } from '../support/web-script.js';

const CLOSED = 2;

/** A connection of the page, which the test refuses or interrupts. */
class Connection {
  static readonly CLOSED = CLOSED;
  static readonly OPEN = 1;
  static readonly all: Connection[] = [];
  readyState = 0;
  private readonly listeners = new Map<string, (event?: { data: string }) => void>();

  constructor() {
    Connection.all.push(this);
  }

  addEventListener(type: string, listener: (event?: { data: string }) => void): void {
    this.listeners.set(type, listener);
  }

  close(): void {
    this.readyState = CLOSED;
  }

  open(): void {
    this.readyState = Connection.OPEN;
    this.listeners.get('open')!();
  }

  send(type: string, data: object): void {
    this.listeners.get(type)!({ data: JSON.stringify(data) });
  }

  fail(readyState: number): void {
    this.readyState = readyState;
    this.listeners.get('error')!();
  }
}

const timers = new Set<() => void>();
let showAgain = (): void => undefined;
let hide = (): void => undefined;
let now = '2026-01-01T16:30:05.500Z';
const word = { textContent: 'As of 08:00:00 UTC.', hidden: false };
const news = { textContent: 'Show', hidden: true };
const RENDERED_MS = Date.parse('2026-01-01T08:00:00Z');
const root = {
  dataset: { events: '/monitors/events', now: String(RENDERED_MS) },
  querySelector: (selector: string) => (selector === '[data-live-new]' ? news : word),
};

let restore: () => void;
beforeAll(async () => {
  restore = await runScript('live.js', {
    document: {
      hidden: false,
      querySelector: (selector: string) => (selector === '[data-events]' ? root : null),
      addEventListener: () => undefined,
    },
    addEventListener: (type: string, listener: () => void) => {
      if (type === 'pageshow') showAgain = listener;
      if (type === 'pagehide') hide = listener;
    },
    EventSource: Connection,
    Date: class extends Date {
      constructor() {
        super(now);
      }
    },
    setInterval: () => 0,
    setTimeout: (timer: () => void) => {
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer: () => void) => timers.delete(timer),
  });
});
afterAll(() => restore());

it('takes the time from the page, then from events', () => {
  expect(serviceNow() - RENDERED_MS).toBeLessThan(60_000);
  const ms = RENDERED_MS + 3_600_000;
  Connection.all[0]!.send('now', { ms });
  expect(serviceNow() - ms).toBeGreaterThanOrEqual(0);
  expect(serviceNow() - ms).toBeLessThan(60_000);
});

it('connects again after a refusal, but leaves an interrupted connection to the browser', () => {
  const { all } = Connection;
  expect(all).toHaveLength(1);
  all[0]!.fail(0);
  expect(timers.size).toBe(0);
  all[0]!.fail(CLOSED);
  expect(timers.size).toBe(1);
  const [retry] = timers;
  timers.clear();
  retry!();
  expect(all).toHaveLength(2);
  all[1]!.fail(CLOSED);
  const [later] = timers;
  showAgain();
  expect(all).toHaveLength(3);
  later!();
  expect(all).toHaveLength(3);
});

it('states until when the page was live', () => {
  showAgain();
  const connection = Connection.all.at(-1)!;
  connection.fail(0);
  expect(word.textContent).toBe('Not live. As of 08:00:00 UTC.');
  connection.open();
  expect(word.textContent).toBe('● Live');
  connection.fail(0);
  connection.fail(0);
  expect(word.textContent).toBe('Not live. As of 16:30:05 UTC.');
  connection.open();
  hide();
  now = '2026-01-01T18:00:00.000Z';
  showAgain();
  Connection.all.at(-1)!.fail(0);
  expect(word.textContent).toBe('Not live. As of 16:30:05 UTC.');
});

it('counts each new monitor once, although every connection reports all of them', () => {
  const connect = (): Connection => {
    hide();
    showAgain();
    const connection = Connection.all.at(-1)!;
    connection.open();
    return connection;
  };
  connect().send('created', { count: 1 });
  const again = connect();
  again.send('created', { count: 1 });
  expect(news).toEqual({ textContent: 'Show 1 new monitor', hidden: false });
  again.send('created', { count: 1 });
  expect(news.textContent).toBe('Show 2 new monitors');
});
