import { renderFeed } from './feed/feed.js';
import { renderStatusPage } from './html/status-page.view.js';
import { htmlForm, jsonForm, type PageForm } from './page-form.js';

/** The page for people. */
export const HTML = htmlForm('html', renderStatusPage);

/** The page for programs. */
export const JSON_VIEW = jsonForm('json', ({ page }) => page.view);

/** Its incidents and maintenance as an Atom feed. */
export const FEED: PageForm = {
  name: 'feed',
  type: 'application/atom+xml; charset=utf-8',
  isHtml: false,
  render: ({ page, address }) => renderFeed(page, address),
};
