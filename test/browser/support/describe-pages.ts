import { expect, it } from '@jest/globals';
import { describeInBrowser } from './describe-in-browser.js';
import {
  COLOURS,
  expectAccessible,
  expectFitsPhone,
  expectMenus,
  expectNoFaults,
  OPEN_MENUS,
  UNFOLD,
} from './expectations.js';
import { checkerPath, htmlFaults } from './html-checker.js';
import { expectKeyboard } from './keyboard.js';
import { type PageRow } from './rows/page-row.js';
import { type Stage } from './stage.js';
import { useStage } from './use-stage.js';

/** Tests the requirements that apply to each of these pages. `more` may add tests on the same stage. */
export function describePages(name: string, rows: readonly PageRow[], more?: (stage: () => Stage) => void): void {
  describeInBrowser(name, () => {
    let stage: Stage;
    const documents = new Map<string, string>();
    useStage((opened) => (stage = opened));

    more?.(() => stage);

    it.each(rows.map((row) => [row.name, row] as const))(
      'include %s, which is accessible in light and dark, on desktop and phone, and by keyboard',
      async (_, row) => {
        const visit = await stage.visit(row);
        const { page } = visit;
        documents.set(row.name, await visit.html);
        await page.evaluate(UNFOLD);
        await expectAccessible(page);
        await page.emulateMedia({ colorScheme: 'dark' });
        await expectAccessible(page, COLOURS);
        await expectFitsPhone(page);
        await expectMenus(page);
        await page.evaluate(OPEN_MENUS);
        await expectKeyboard(page);
        await expectNoFaults(visit);
      },
    );

    (checkerPath() === null ? it.skip : it)('consist of valid HTML', async () => {
      expect([...documents.keys()]).toEqual(rows.map(({ name: row }) => row));
      expect(await htmlFaults(documents)).toEqual([]);
    });
  });
}
