import { expect, it } from '@jest/globals';
import { describePages } from './support/describe-pages.js';
import { INCIDENT_ROWS } from './support/rows/incident-rows.js';
import { PHONE } from './support/visit.js';

/** The place of a cell, that of the right edge of its content, and the text that precedes it. */
type Cell = Record<'left' | 'right' | 'top' | 'bottom' | 'contentRight', number> & { before: string };

/** Returns the visible cells of each row of the lists, and the right edge of the row without its padding. */
const CARDS = `[...document.querySelectorAll('.lists tbody tr')].map((row) => ({
  right: row.getBoundingClientRect().right - parseFloat(getComputedStyle(row).paddingRight),
  cells: [...row.cells].filter((cell) => cell.checkVisibility()).map((cell) => {
    const { left, right, top, bottom } = cell.getBoundingClientRect();
    const contentRight = Math.max(...[...cell.querySelectorAll('*')].map((one) => one.getBoundingClientRect().right), right);
    return { left, right, top, bottom, contentRight, before: getComputedStyle(cell, '::before').content };
  }),
}))`;

describePages('the pages of incidents and maintenance, in a browser', INCIDENT_ROWS, (stage) => {
  it('show each incident as a card of three parts on a phone: title and state, monitors, times', async () => {
    const list = INCIDENT_ROWS.find(({ name }) => name === 'incidents')!;
    const { page } = await stage().visit(list, { viewport: PHONE });
    const cards = await page.evaluate<{ right: number; cells: Cell[] }[]>(CARDS);
    expect(cards.length).toBeGreaterThan(1);
    for (const { right, cells } of cards) {
      const [title, state, monitors, ...times] = cells as [Cell, Cell, Cell, ...Cell[]];
      expect(state.left).toBeGreaterThanOrEqual(title.right);
      expect(state.top).toBeLessThan(title.top + 10);
      expect(monitors.top).toBeGreaterThanOrEqual(Math.max(title.bottom, state.bottom));
      expect(times).toHaveLength(2);
      for (const time of times) {
        expect(time.top).toBeGreaterThanOrEqual(monitors.bottom);
        expect(Math.abs(time.top - times[0]!.top)).toBeLessThan(1);
      }
      for (const { contentRight } of cells) expect(contentRight).toBeLessThanOrEqual(right + 0.5);
      expect(cells.map(({ before }) => before)).toEqual(['none', 'none', 'none', 'none', '"· "']);
    }
  });
});
