import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { now } from '../../src/web/age.js';
import { runScript } from '../support/web-script.js';

const timers = new Set<() => void>();
const requests: (() => void)[] = [];
let changeVisibility = (): void => undefined;
const word = { textContent: 'As of 08:00.', hidden: false };
const place = { dataset: { follow: '/incidents/1', version: '"1"' }, querySelector: () => word };
let status = 304;
const headers = new Headers({ date: 'Tue, 06 Jan 2026 16:30:00 GMT' });
const document = {
  hidden: false,
  querySelector: (selector: string) => (selector === '[data-follow]' ? place : null),
  querySelectorAll: () => [],
  addEventListener: (type: string, listener: () => void) => {
    if (type === 'visibilitychange') changeVisibility = listener;
  },
};

let restore: () => void;
beforeAll(async () => {
  restore = await runScript('follow.js', {
    document,
    setTimeout: (timer: () => void) => {
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer: () => void) => timers.delete(timer),
    Date: class extends Date {
      override toLocaleString(): string {
        return '16:30';
      }
    },
    fetch: () => new Promise((resolve) => requests.push(() => resolve({ status, ok: false, headers }))),
  });
});
afterAll(() => restore());

function become(visibility: 'visible' | 'hidden'): void {
  document.hidden = visibility === 'hidden';
  changeVisibility();
}

/** Answers all requests, and waits until the page has processed the answers. */
async function answer(): Promise<void> {
  for (const respond of requests.splice(0)) respond();
  await new Promise(setImmediate);
}

it('asks for changes one request at a time, and not at all while the page is hidden', async () => {
  expect(requests).toHaveLength(1);
  // The reader looks at another tab before the answer arrives.
  become('hidden');
  become('visible');
  expect(requests).toHaveLength(1);
  await answer();
  expect(timers.size).toBe(1);
  const [next] = timers;
  timers.clear();
  next!();
  expect(requests).toHaveLength(1);
  become('hidden');
  await answer();
  expect(timers.size).toBe(0);
  become('visible');
  expect(requests).toHaveLength(1);
  await answer();
  expect(timers.size).toBe(1);
});

it('takes the time from the answers', () => {
  expect(new Date(now()).toISOString()).toMatch(/^2026-01-06T16:3/);
});

it('states until when the page was live', async () => {
  expect(word.textContent).toBe('● Live');
  status = 503;
  become('visible');
  await answer();
  expect(word.textContent).toBe('Not live. As of 16:30.');
});
