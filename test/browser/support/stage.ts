import { type Browser } from 'playwright-core';
import { startApp, type TestApp } from '../../support/app.js';
import { type Browser as FormBrowser } from '../../support/browser.js';
import { prepareSetup, signIn } from '../../support/people.js';
import { launchChromium } from './chromium.js';
import { type Content } from './content.js';
import { type PageRow, type Reader } from './rows/page-row.js';
import { Visit, type VisitOptions } from './visit.js';
import { fillWorld, type World } from './world.js';

/** The environment of the page rows: Chromium, a service with content, and a service that is not set up. */
export class Stage {
  private readonly sessions = new Map<Reader, FormBrowser>();
  private readonly visits = new Set<Visit>();

  private constructor(
    private readonly browser: Browser,
    readonly world: World,
    private readonly unset: TestApp,
  ) {}

  /** Fills the service that `start` returns, with one past check every `intervalSeconds`. */
  static async open(start: () => Promise<TestApp>, content: Content, intervalSeconds = 3_600): Promise<Stage> {
    const opened: { close(): Promise<void> }[] = [];
    try {
      const [app, unset] = [await start(), await startApp()];
      opened.push(app, unset);
      const world = await fillWorld(app, content, intervalSeconds);
      await prepareSetup(unset);
      return new Stage(await launchChromium(), world, unset);
    } catch (error) {
      for (const one of opened) await one.close();
      throw error;
    }
  }

  /** Opens the page of a row as its reader and runs the row's action. Ended by `end()` or `clear()`. */
  async visit({ who, path, act }: PageRow, options: VisitOptions = {}): Promise<Visit> {
    const { origin } = who === 'first' ? this.unset : this.world.app;
    const visit = await Visit.begin(this.browser, origin, { ...options, as: await this.sessionOf(who) });
    this.visits.add(visit);
    await visit.page.goto(path(this.world));
    await act?.(visit.page);
    // A link takes the place of a chart until it is drawn.
    if (options.javaScriptEnabled ?? true) await visit.page.locator('[data-chart] > a').waitFor({ state: 'detached' });
    return visit;
  }

  /** Opens a page as an editor. */
  visitPath(path: string, options: VisitOptions = {}): Promise<Visit> {
    return this.visit({ name: path, route: path, who: 'editor', path: () => path }, options);
  }

  /** Ends all visits, including those that a failed test has left open. */
  async clear(): Promise<void> {
    for (const visit of this.visits) await visit.end();
    this.visits.clear();
  }

  /** Makes everybody sign in again at their next visit. */
  forgetSessions(): void {
    this.sessions.clear();
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.unset.close();
    await this.world.app.close();
  }

  private async sessionOf(who: Reader): Promise<FormBrowser> {
    const { app, content, people, newcomer } = this.world;
    const known = this.sessions.get(who);
    if (known) return known;
    if (who === 'guest' || who === 'first') return { cookies: new Map() } as FormBrowser;
    const session = await signIn(app, who === 'newcomer' ? newcomer : people[who]);
    await app.query('UPDATE sessions SET user_agent = $1', [content.userAgent]);
    this.sessions.set(who, session);
    return session;
  }
}
