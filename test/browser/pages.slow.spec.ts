import { expect, it } from '@jest/globals';
import { DARK_GROUNDS } from '../../src/html/palette.js';
import { readableOn } from '../../src/html/readable-colour.js';
import { describePages } from './support/describe-pages.js';
import { COLOURS, expectAccessible, expectNoFaults } from './support/expectations.js';
import { NOT_PAGES, PAGE_ROWS } from './support/page-rows.js';
import { INCIDENT_ROWS } from './support/rows/incident-rows.js';
import { MONITOR_ROWS } from './support/rows/monitor-rows.js';
import { NO_ROUTE, type PageRow } from './support/rows/page-row.js';

/** Returns the colours of states, of each mark and bar. */
const STATE_COLOURS = `[...document.querySelectorAll('.mark, .mark *, .bars [class], .overall-box, .swatch [class]')]
  .map((one) => [one.getAttribute('class'), getComputedStyle(one).fill, getComputedStyle(one).borderLeftColor].join(' '))
  .filter((told, at, all) => all.indexOf(told) === at).sort()`;

/** Returns the colours of the band, of a link, and of its outline with keyboard focus, as serialised by Chromium. */
const OWN_COLOURS = `(() => {
  const link = document.querySelector('footer a');
  link.focus({ focusVisible: true });
  const [body, shown] = [getComputedStyle(document.body), getComputedStyle(link)];
  return [body.borderTopColor, shown.color, shown.outlineColor];
})()`;

/** Returns the expected `OWN_COLOURS` of a dark page with this accent colour. */
function ownColours(accentColor: string): string[] {
  const link = readableOn(accentColor, DARK_GROUNDS);
  return [accentColor, link, link].map((colour) => {
    const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
    return `rgb(${channels.join(', ')})`;
  });
}

/** Pages without a session that are for people only, and not described for callers: those that messages and mails link to. */
const LINKED = [
  '/ack/:token',
  '/status/:slug/subscriptions',
  '/status/_/subscriptions/:token/preferences',
  '/status/_/subscriptions/:token/unsubscribe',
];

// The pages of monitors and incidents are tested in separate files, which run in parallel.
const ROWS = PAGE_ROWS.filter((row) => !MONITOR_ROWS.includes(row) && !INCIDENT_ROWS.includes(row));

describePages('the pages, in a browser', ROWS, (stage) => {
  it('are all listed in PAGE_ROWS', async () => {
    const { app } = stage().world;
    const inside = (await app.backstage.sessionRoutes()).flatMap(({ method, path }) =>
      method === 'GET' ? [path] : [],
    );
    const outside = (await app.backstage.routes()).flatMap(({ method, path }) => {
      const answer = app.document.paths[path.replace(/:(\w+)/g, '{$1}')]?.get?.responses['200'];
      return method === 'GET' && answer && 'content' in answer && answer.content?.['text/html'] ? [path] : [];
    });
    const wanted = [...inside, ...outside, ...LINKED].filter((path) => !NOT_PAGES.includes(path));
    const routes = new Set(PAGE_ROWS.map(({ route }) => route));
    routes.delete(NO_ROUTE);
    expect([...routes].sort()).toEqual(wanted.sort());
  });

  const rowOf = (name: string): PageRow => PAGE_ROWS.find((row) => row.name === name)!;

  it('include status pages that are legible with any accent colour, without changing the colours of states', async () => {
    const { app, content, statusPageId } = stage().world;
    const api = app.api(app.teams.ours.write);
    const looks = async (accentColor: string | null): Promise<unknown[]> => {
      expect((await api.patch(`/v1/status-pages/${statusPageId}`, { accentColor })).status).toBe(200);
      const visit = await stage().visit(rowOf('status-page'), { colorScheme: 'light' });
      await expectAccessible(visit.page, COLOURS);
      const light = await visit.page.evaluate<unknown[]>(STATE_COLOURS);
      await visit.page.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(visit.page, COLOURS);
      if (accentColor !== null) expect(await visit.page.evaluate(OWN_COLOURS)).toEqual(ownColours(accentColor));
      const dark = await visit.page.evaluate<unknown[]>(STATE_COLOURS);
      await expectNoFaults(visit);
      await visit.end();
      return [light, dark];
    };
    const usual = await looks(null);
    expect(usual.flat().length).toBeGreaterThan(10);
    for (const colour of ['#ffff00', '#000000']) expect(await looks(colour)).toEqual(usual);
    await looks(content.statusPage.accentColor as string);
  }, 180_000);

  it('accept a colour as text and, with JavaScript, from a palette', async () => {
    const { page } = await stage().visit(rowOf('page-edit'));
    const [text, palette] = [page.getByLabel('Accent colour', { exact: true }), page.getByLabel('colour picker')];
    expect([await text.inputValue(), await palette.inputValue()]).toEqual(['#0c8599', '#0c8599']);
    await palette.fill('#d9480f');
    expect(await text.inputValue()).toBe('#d9480f');
    await text.fill('#ABCDEF');
    expect(await palette.inputValue()).toBe('#abcdef');
    await text.fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Status page saved.').first().waitFor();
    const without = await stage().visit(rowOf('page-edit'), { javaScriptEnabled: false });
    expect(await without.page.getByLabel('Accent colour', { exact: true }).inputValue()).toBe('');
    expect(await without.page.getByLabel('colour picker').isVisible()).toBe(false);
    await without.page.getByLabel('Accent colour', { exact: true }).fill('#0c8599');
    await without.page.getByRole('button', { name: 'Save', exact: true }).click();
    await without.page.getByText('Status page saved.').first().waitFor();
    const { app, statusPageId } = stage().world;
    const api = app.api(app.teams.ours.read);
    expect((await api.get(`/v1/status-pages/${statusPageId}`)).body).toMatchObject({ accentColor: '#0c8599' });
  });
});
