import { createHash } from 'node:crypto';
import { type Coding, encoded } from '../../http/content-coding.js';
import { renderFeed } from './feed/feed.js';
import { renderStatusPage } from './html/status-page.view.js';
import { type PublicPage } from './public-page.types.js';
import { type PublishedPage } from './published-pages.service.js';

/** The forms in which a page can be requested. */
export type PageForm = 'html' | 'json' | 'feed';

/** The body of a page in one form and coding. */
export interface PageBody {
  bytes: Buffer;
  /** A strong tag, so that each coding has its own. */
  etag: string;
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
const MINUTE_MS = 60_000;

/** One version of a page in all its forms, each rendered and compressed on the first request and then cached. */
export class PageCopy {
  private readonly drawn = new Map<PageForm, Drawing>();
  private readonly viewBytes: number;
  /** The page with the age of its figures in minutes, for when the database is away. */
  private aged: { minutes: number; drawing: Drawing } | null = null;

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
    const drawings = [...this.drawn.values(), ...(this.aged ? [this.aged.drawing] : [])];
    return drawings.reduce((sum, { bytes }) => sum + bytes, this.viewBytes);
  }

  /** Returns the age of the figures in milliseconds. */
  ageMs(nowMs: number): number {
    return Math.max(0, nowMs - Date.parse(this.page.view.computedAt));
  }

  async body(form: PageForm, coding: Coding): Promise<PageBody> {
    let drawing = this.drawn.get(form);
    if (!drawing) {
      drawing = new Drawing(this.draw(form), this.grown);
      this.drawn.set(form, drawing);
      this.grown();
    }
    return drawing.in(coding);
  }

  /** Returns the HTML page with a notice about the age of its figures. */
  async agedPage(nowMs: number, coding: Coding): Promise<PageBody> {
    const ageMs = this.ageMs(nowMs);
    const minutes = Math.floor(ageMs / MINUTE_MS);
    if (this.aged?.minutes !== minutes) {
      this.aged = { minutes, drawing: new Drawing(renderStatusPage(this.page, ageMs), this.grown) };
      this.grown();
    }
    return this.aged.drawing.in(coding);
  }

  private draw(form: PageForm): string {
    if (form === 'json') return JSON.stringify(this.page.view);
    return form === 'html' ? renderStatusPage(this.page) : renderFeed(this.page, this.origin);
  }
}
