import { expect, it } from '@jest/globals';
import { registeredRoutes } from '../support/routes.js';
import { sessionRoutes } from '../support/session-routes.js';
import { describePages } from './support/describe-pages.js';
import { NOT_PAGES, PAGE_ROWS } from './support/page-rows.js';
import { MONITOR_ROWS } from './support/rows/monitor-rows.js';
import { NO_ROUTE } from './support/rows/page-row.js';

// Those of monitors have a file of their own: two run at a time.
const ROWS = PAGE_ROWS.filter((row) => !MONITOR_ROWS.includes(row));

describePages('the pages, in a browser', ROWS, (stage) => {
  it('are all in the table', () => {
    const { app } = stage().world;
    const inside = sessionRoutes(app).flatMap(({ method, path }) => (method === 'GET' ? [path] : []));
    const outside = registeredRoutes(app).flatMap(({ method, path }) => {
      const answer = app.document.paths[path.replace(/:(\w+)/g, '{$1}')]?.get?.responses['200'];
      return method === 'GET' && answer && 'content' in answer && answer.content?.['text/html'] ? [path] : [];
    });
    const wanted = [...inside, ...outside].filter((path) => !NOT_PAGES.includes(path));
    const routes = new Set(PAGE_ROWS.map(({ route }) => route));
    routes.delete(NO_ROUTE);
    expect([...routes].sort()).toEqual(wanted.sort());
  });
});
