import { type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { type Browser as FormBrowser } from '../../support/browser.js';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 740 };

/** The property of `window` that stored texts set if they run as scripts. It must never be set. */
export const RUN_MARKER = '__ran';

/** Reports violations of the Content-Security-Policy on the console, including those that Chromium does not report. */
const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('blocked by the Content-Security-Policy: ' + violatedDirective + ' ' + blockedURI));`;

export interface VisitOptions extends Pick<
  BrowserContextOptions,
  'javaScriptEnabled' | 'colorScheme' | 'viewport' | 'httpCredentials' | 'hasTouch'
> {
  /** The browser whose session is used; by default, no session. */
  as?: Pick<FormBrowser, 'cookies'>;
}

/**
 * A separate browser context that records all errors of its pages: uncaught exceptions, errors on the console,
 * violations of the Content-Security-Policy, failed requests, dialogs other than the question before edits are lost, and scripts injected by stored texts.
 */
export class Visit {
  private readonly found: string[] = [];
  /** How often the browser has asked whether to leave a page with edits. */
  questions = 0;
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

  /** Returns the errors since the last call. */
  async takeFaults(): Promise<string[]> {
    const ran = await this.page.evaluate<unknown>(`window.${RUN_MARKER}`);
    if (ran !== undefined) this.found.push(`a stored text ran as a script: ${JSON.stringify(ran)}`);
    return this.found.splice(0);
  }

  /** The HTML of the current page as it was sent, before any change by scripts. */
  get html(): Promise<string> {
    return this.newestHtml;
  }

  end(): Promise<void> {
    return this.context.close();
  }

  private watch(): void {
    const note = (what: string): void => void this.found.push(`${new URL(this.page.url()).pathname}: ${what}`);
    this.page.on('pageerror', (error) => note(`uncaught exception: ${error.message}`));
    this.page.on('console', (message) => {
      // Chromium also reports rejected forms like this. Other failed requests are recorded below.
      if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
      note(`error on the console: ${message.text()}`);
    });
    this.page.on('dialog', (dialog) => {
      // A reader who is asked whether to leave a page with edits leaves it.
      if (dialog.type() === 'beforeunload') {
        this.questions += 1;
        void dialog.accept();
        return;
      }
      note(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    this.page.on('response', (response) => {
      const request = response.request();
      if (request.isNavigationRequest()) {
        // Frames within the page load documents of their own.
        if (request.frame() !== this.page.mainFrame()) return;
        // The body of a redirect cannot be read.
        this.newestHtml = response.text().catch(() => '');
      } else if (response.status() >= 400) {
        note(`${response.status()} for ${response.url()}`);
      }
    });
    this.page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      // Leaving a page aborts its pending requests.
      if (reason !== 'net::ERR_ABORTED') note(`${reason} for ${request.url()}`);
    });
  }
}
