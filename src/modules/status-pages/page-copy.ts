import { createHash } from 'node:crypto';
import { type Coding, encoded } from '../../http/content-coding.js';
import { renderFeed } from './feed/feed.js';
import { renderStatusPage } from './html/status-page.view.js';
import { type PublicPage } from './public-page.types.js';
import { type PublishedPage } from './published-pages.service.js';

/** What a page is asked for as. */
export type PageForm = 'html' | 'json' | 'feed';

/** A form of a page as it is sent. */
export interface PageBody {
  bytes: Buffer;
  /** Strong, so that each coding has its own. */
  etag: string;
}

/** A body, compressed once in each coding that is asked for. */
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

/** What a day of a component takes of the memory, about. */
const BYTES_PER_DAY = 250;
/** The same of a page that has nothing on it: thousands of those are not free. */
const BYTES_PER_PAGE = 6 * 1_024;
const MINUTE_MS = 60_000;

/** One state of a page in all its forms, each drawn and compressed when it is first asked for, and then kept. */
export class PageCopy {
  private readonly drawn = new Map<PageForm, Drawing>();
  private readonly viewBytes: number;
  /** The page as of a minute in which the database was away: only the age of the figures differs. */
  private aged: { minutes: number; drawing: Drawing } | null = null;

  /**
   * @param of who may see it, and which version it is
   * @param origin of the application, for links
   * @param grown called when the copy takes more memory than before
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

  /** About. */
  get bytes(): number {
    const drawings = [...this.drawn.values(), ...(this.aged ? [this.aged.drawing] : [])];
    return drawings.reduce((sum, { bytes }) => sum + bytes, this.viewBytes);
  }

  /** How old the figures are. */
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

  /** The page for people with a word about the age of its figures. */
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
