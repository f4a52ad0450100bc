import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../../domain/durations.js';
import { type Coding, encoded } from '../../http/content-coding.js';
import { ProblemException } from '../../http/problems/problem.js';
import { PageAddress } from './page-address.js';
import { type PageContext, type PageForm } from './page-form.js';
import { type PublicPage } from './public-page.types.js';
import { type PublishedPage } from './published-pages.service.js';

/** The body of a page in one form and coding. */
export interface PageBody {
  bytes: Buffer;
  /** A strong tag, so that each coding has its own. */
  etag: string;
}

/** A request for a body. */
export interface BodyRequest {
  address: PageAddress;
  coding: Coding;
  nowMs: number;
  /** Whether the copy is served because the database is away. */
  isLastKnown: boolean;
}

/** A body that is compressed once for each requested coding. */
class Drawing {
  bytes: number;
  private readonly text: Buffer;
  private readonly digest: string;
  private readonly coded = new Map<Coding, Promise<Buffer>>();

  constructor(
    body: string,
    private readonly grown: () => void,
  ) {
    this.text = Buffer.from(body);
    this.bytes = this.text.length;
    this.digest = createHash('sha256').update(this.text).digest('base64url').slice(0, 22);
  }

  async in(coding: Coding): Promise<PageBody> {
    if (coding === 'identity') return { bytes: this.text, etag: `"${this.digest}"` };
    let coded = this.coded.get(coding);
    if (!coded) {
      coded = encoded(this.text, coding);
      this.coded.set(coding, coded);
      this.bytes += (await coded).length;
      this.grown();
    }
    return { bytes: await coded, etag: `"${this.digest}-${coding}"` };
  }
}

/** Approximate memory for one day of a component. */
const BYTES_PER_DAY = 250;
/** Approximate memory for a page without content. */
const BYTES_PER_PAGE = 6 * 1_024;
/** Maximum number of bodies, and of parts such as incidents, in a copy. The oldest ones make room for new ones. */
const MAX_DRAWINGS = 40;
const MAX_PARTS = 40;

/** One version of a page in all its forms, each rendered and compressed on the first request and then cached. */
export class PageCopy {
  private readonly drawn = new Map<string, Drawing>();
  private readonly running = new Map<string, Promise<Drawing>>();
  private readonly parts = new Map<string, { value: object; bytes: number }>();
  private readonly viewBytes: number;

  /**
   * @param of the password and the version of the page
   * @param origin of the application, for links
   * @param grown called when the copy uses more memory than before
   */
  constructor(
    readonly of: PublishedPage,
    readonly page: PublicPage,
    private readonly origin: string,
    private readonly grown: () => void,
  ) {
    const days = page.view.components.reduce((sum, component) => sum + (component.days?.length ?? 0), 0);
    this.viewBytes = BYTES_PER_PAGE + days * BYTES_PER_DAY;
  }

  /** Approximate memory of the copy. */
  get bytes(): number {
    let sum = this.viewBytes;
    for (const { bytes } of this.drawn.values()) sum += bytes;
    for (const { bytes } of this.parts.values()) sum += bytes;
    return sum;
  }

  /** Returns the age of the figures in milliseconds. */
  ageMs(nowMs: number): number {
    return Math.max(0, nowMs - Date.parse(this.page.view.computedAt));
  }

  /** Returns the address under which a request reaches the page. `ownDomain`: if it is a domain of the page. */
  addressUnder(ownDomain: string | undefined): PageAddress {
    return ownDomain === undefined
      ? PageAddress.ofSlug(this.origin, this.page.slug)
      : PageAddress.ofDomain(ownDomain, this.origin);
  }

  /** Returns the page in a form; in HTML, with the age of its figures if it is the latest known one. */
  async body(form: PageForm, { address, coding, nowMs, isLastKnown }: BodyRequest): Promise<PageBody> {
    const ageMs = isLastKnown && form.isHtml ? this.ageMs(nowMs) : null;
    const minutes = ageMs === null ? '' : Math.floor(ageMs / MINUTE_MS);
    const context: PageContext = {
      page: this.page,
      address,
      ageMs,
      isLastKnown,
      recall: (key, load) => this.recall(key, isLastKnown ? databaseAway : load),
    };
    const drawing = await this.draw(`${form.name} ${address.url()} ${minutes}`, () => form.render(context));
    return drawing.in(coding);
  }

  private draw(key: string, render: () => string | Promise<string>): Promise<Drawing> | Drawing {
    const drawing = this.drawn.get(key) ?? this.running.get(key);
    if (drawing) return drawing;
    const running = (async () => {
      try {
        const made = new Drawing(await render(), this.grown);
        keep(this.drawn, key, made, MAX_DRAWINGS);
        this.grown();
        return made;
      } finally {
        this.running.delete(key);
      }
    })();
    this.running.set(key, running);
    return running;
  }

  private async recall<T extends object>(key: string, load: () => Promise<T | null>): Promise<T | null> {
    const part = this.parts.get(key);
    if (part) return part.value as T;
    const value = await load();
    if (value) keep(this.parts, key, { value, bytes: JSON.stringify(value).length }, MAX_PARTS);
    return value;
  }
}

function keep<T>(kept: Map<string, T>, key: string, value: T, most: number): void {
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(oldest);
  }
}

function databaseAway(): Promise<never> {
  const detail = 'The database is unavailable or busy. Try again later.';
  throw new ProblemException(503, 'database_unavailable', detail, { headers: { 'Retry-After': '5' } });
}
