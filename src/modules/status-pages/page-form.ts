import { type PageAddress } from './page-address.js';
import { type PublicPage } from './public-page.types.js';

/** What a form is rendered from. */
export interface PageContext {
  page: PublicPage;
  address: PageAddress;
  /** The age of the figures in milliseconds if newer ones are unavailable; otherwise null. */
  ageMs: number | null;
  /** Whether the page is the latest known one, because the database is away. */
  isLastKnown: boolean;
  /**
   * Returns data that belongs to the same version of the page, and loads it unless that was done before. `null` is not
   * remembered. @throws 503 if it must be loaded while the database is away
   */
  recall: <T extends object>(key: string, load: () => Promise<T | null>) => Promise<T | null>;
}

/** A form in which a page, or a part of it, can be requested. */
export interface PageForm {
  /** Unique among the forms of a page. */
  name: string;
  /** The media type. */
  type: string;
  /** Whether it is for people: it loads images, states the age of its figures, and other sites must not read it. */
  isHtml: boolean;
  render(context: PageContext): string | Promise<string>;
}

/** Returns a form that is an HTML page. */
export function htmlForm(name: string, render: PageForm['render']): PageForm {
  return { name, type: 'text/html; charset=utf-8', isHtml: true, render };
}

/** Returns a form that is JSON. `valueOf` may return a promise. */
export function jsonForm(name: string, valueOf: (context: PageContext) => unknown): PageForm {
  const render = async (context: PageContext): Promise<string> => JSON.stringify(await valueOf(context));
  return { name, type: 'application/json; charset=utf-8', isHtml: false, render };
}
