import { type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { type Browser as FormBrowser } from '../../support/browser.js';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 740 };

/** What stored texts set where they run, and what must thus never be set. */
export const RUN_MARKER = '__ran';

/** Says on the console what the content policy stops, even where Chromium itself says nothing. */
const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('the content policy stopped ' + violatedDirective + ' ' + blockedURI));`;

export interface VisitOptions extends Pick<
  BrowserContextOptions,
  'javaScriptEnabled' | 'colorScheme' | 'viewport' | 'httpCredentials'
> {
  /** Whose session it has; nobody's by default. */
  as?: Pick<FormBrowser, 'cookies'>;
}

/**
 * Somebody with a browser of their own. All that a page does wrong is noted: uncaught exceptions, errors on the console,
 * violations of the content policy, requests that fail, dialogs, and scripts that a stored text has brought in.
 */
export class Visit {
  private readonly found: string[] = [];
  private newestHtml: Promise<string> = Promise.resolve('');

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    readonly origin: string,
  ) {}

  static async begin(browser: Browser, origin: string, { as, ...options }: VisitOptions = {}): Promise<Visit> {
    const context = await browser.newContext({ viewport: DESKTOP, baseURL: origin, ...options });
    if (as) await context.addCookies([...as.cookies].map(([name, value]) => ({ name, value, url: origin })));
    await context.addInitScript(TELL_VIOLATIONS);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const visit = new Visit(context, page, origin);
    visit.watch();
    return visit;
  }

  /** What went wrong since the last call. */
  async takeFaults(): Promise<string[]> {
    const ran = await this.page.evaluate<unknown>(`window.${RUN_MARKER}`);
    if (ran !== undefined) this.found.push(`a stored text ran as a script: ${JSON.stringify(ran)}`);
    return this.found.splice(0);
  }

  /** The document that is shown, as it was sent: scripts may have changed it since. */
  get html(): Promise<string> {
    return this.newestHtml;
  }

  end(): Promise<void> {
    return this.context.close();
  }

  private watch(): void {
    const note = (what: string): void => void this.found.push(`${new URL(this.page.url()).pathname}: ${what}`);
    this.page.on('pageerror', (error) => note(`uncaught ${error.message}`));
    this.page.on('console', (message) => {
      // Of a form that was refused, too; what else does not load is noted below.
      if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
      note(`on the console: ${message.text()}`);
    });
    this.page.on('dialog', (dialog) => {
      note(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    this.page.on('response', (response) => {
      if (response.request().isNavigationRequest()) {
        // Nobody can read the text of an answer that leads on to another page.
        this.newestHtml = response.text().catch(() => '');
      } else if (response.status() >= 400) {
        note(`${response.status()} for ${response.url()}`);
      }
    });
    this.page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      // Whoever leaves a page ends what it was still reading.
      if (reason !== 'net::ERR_ABORTED') note(`${reason} for ${request.url()}`);
    });
  }
}
