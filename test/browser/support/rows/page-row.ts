import { type Page } from 'playwright-core';
import { type Role } from '../../../../src/domain/role.js';
import { type World } from '../world.js';

/** Who looks: `guest` is not signed in, `newcomer` has an empty team, `first` comes to a service that nobody has set up. */
export type Reader = Role | 'guest' | 'newcomer' | 'first';

/** A page as the tests look at it: one row for each state that it can be in. */
export interface PageRow {
  /** Of the row, and of its pictures. */
  name: string;
  /** What its controller answers to; `NO_ROUTE` where none does. */
  route: string;
  who: Reader;
  path: (world: World) => string;
  /** False where a picture of it says nothing that another one does not say. */
  pictured?: boolean;
  /** What the reader does on the page before it is looked at. */
  act?: (page: Page) => Promise<void>;
}

/** Of a page that answers wherever there is no other. */
export const NO_ROUTE = '*';

export const at =
  (path: string): PageRow['path'] =>
  () =>
    path;

/** Presses a button, by its name. */
export const submit = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Types into fields, by their labels. */
export async function fill(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text);
}

/** Rows of which there are no pictures: others show the same. */
export function unpictured(rows: readonly PageRow[]): PageRow[] {
  return rows.map((row) => ({ ...row, pictured: false }));
}
