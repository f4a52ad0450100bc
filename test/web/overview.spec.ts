import { expect, it } from '@jest/globals';
import { runScript } from '../support/web-script.js';

it('an open overview is loaded again every minute while it is visible', async () => {
  const requests: string[] = [];
  let everyMinute = (): void => undefined;
  let hasOverview = true;
  const document = {
    hidden: false,
    addEventListener: () => undefined,
    querySelector: (selector: string) =>
      selector === '[data-refresh]' && hasOverview ? { querySelector: () => null } : null,
  };
  const restore = await runScript('overview.js', {
    document,
    getSelection: () => null,
    location: { href: '/' },
    setInterval: (timer: () => void) => (everyMinute = timer),
    setTimeout: (timer: () => void) => {
      timer();
      return 0;
    },
    fetch: (address: string) => {
      requests.push(address);
      return Promise.reject(new Error('offline'));
    },
  });
  try {
    expect(requests).toEqual([]);
    everyMinute();
    expect(requests).toEqual(['/']);
    document.hidden = true;
    everyMinute();
    document.hidden = false;
    hasOverview = false;
    everyMinute();
    expect(requests).toEqual(['/']);
  } finally {
    restore();
  }
});
