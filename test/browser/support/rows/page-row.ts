import { type Page } from 'playwright-core';
import { type Role } from '../../../../src/domain/role.js';
import { type World } from '../world.js';

/** The reader of a page: `guest` is not signed in, `newcomer` has an empty team, `first` opens a service not set up. */
export type Reader = Role | 'guest' | 'newcomer' | 'first';

/** A page in one of the states that the tests visit. */
export interface PageRow {
  /** The name of the row and of its screenshots. */
  name: string;
  /** The route of its controller; `NO_ROUTE` if there is none. */
  route: string;
  who: Reader;
  path: (world: World) => string;
  /** False if a screenshot of it would not add anything to the others. */
  pictured?: boolean;
  /** The action of the reader on the page before it is tested. */
  act?: (page: Page) => Promise<void>;
}

/** The route of the page for unknown paths. */
export const NO_ROUTE = '*';

export const at =
  (path: string): PageRow['path'] =>
  () =>
    path;

/** Presses a button by its name. */
export const submit = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Fills in fields by their labels. */
export async function fill(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text);
}

/** Marks rows as not shown in screenshots. */
export function unpictured(rows: readonly PageRow[]): PageRow[] {
  return rows.map((row) => ({ ...row, pictured: false }));
}
