/** Where a page is served: below `/status/` of the service, or at the root of its own domain. */
export class PageAddress {
  private constructor(
    /** The origin of absolute links. */
    readonly origin: string,
    private readonly base: string,
    /** The path of the page. */
    readonly home: string,
    /** The path of its JSON. */
    readonly json: string,
  ) {}

  /** Returns the address of a page below `/status/` of the service. */
  static ofSlug(origin: string, slug: string): PageAddress {
    const base = `/status/${slug}`;
    return new PageAddress(origin, base, base, `${base}.json`);
  }

  /**
   * Returns the address of a page on its own domain. Absolute links have the scheme of the service, because the same
   * proxy serves both, and no port: a link must not depend on what a request contained.
   */
  static ofDomain(domain: string, serviceOrigin: string): PageAddress {
    return new PageAddress(`${new URL(serviceOrigin).protocol}//${domain}`, '', '/', '/status.json');
  }

  /** Returns the address under which a page is announced: that of its own domain, if it has one. */
  static ofPage(origin: string, slug: string, customDomain: string | null): PageAddress {
    return customDomain === null ? PageAddress.ofSlug(origin, slug) : PageAddress.ofDomain(customDomain, origin);
  }

  get feed(): string {
    return this.path('/feed.atom');
  }

  get calendar(): string {
    return this.path('/maintenance.ics');
  }

  get subscriptions(): string {
    return this.path('/subscriptions');
  }

  get history(): string {
    return this.path('/history');
  }

  /** Returns the path of a month of the history, such as `2026-01`. */
  historyOf(month: string): string {
    return `${this.history}?month=${month}`;
  }

  /** Returns the path of an incident. */
  incident(id: string): string {
    return this.path(`/incidents/${id}`);
  }

  /** Returns the path of something below the page. `below` begins with a slash. */
  path(below: string): string {
    return this.base + below;
  }

  /** Returns the absolute URL of one of the paths, that of the page by default. */
  url(path = this.home): string {
    return this.origin + path;
  }
}
