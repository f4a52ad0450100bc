import { expect, it } from '@jest/globals';
import { runScript } from '../support/web-script.js';

function refuse(): never {
  throw new Error('Access is denied for this document.');
}

it('keyboard shortcuts work in a browser that blocks storage', async () => {
  const button = { dataset: { opens: 'shortcuts' }, hidden: true, addEventListener: () => undefined };
  const field = {
    checked: false,
    change: (): void => undefined,
    addEventListener: (_: string, listener: () => void) => (field.change = listener),
  };
  const restore = await runScript('shortcuts.js', {
    document: { addEventListener: () => undefined, querySelector: () => field, querySelectorAll: () => [button] },
    localStorage: { getItem: refuse, setItem: refuse, removeItem: refuse },
  });
  try {
    expect(button.hidden).toBe(false);
    expect(field.checked).toBe(true);
    field.checked = false;
    expect(() => field.change()).not.toThrow();
  } finally {
    restore();
  }
});
