import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type EvidenceUpdate } from '../../src/modules/console/monitors/detail-evidence.js';
import { type CountsUpdate } from '../../src/modules/console/monitors/list-counts.js';
import { type LiveUpdate } from '../../src/modules/console/monitors/live-parts.js';
import { type Browser } from './browser.js';
import { eventually } from './eventually.js';

/** The data of an event of any name. */
type EventData = Omit<LiveUpdate, 'parts'> & {
  parts: LiveUpdate['parts'] & EvidenceUpdate['parts'];
  count: number;
  ms: number;
} & CountsUpdate;

/** Reads server-sent events as they arrive. */
export class EventReader {
  /** All text received so far. */
  text = '';
  private taken = 0;
  private over = false;

  private constructor(private readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => (this.text += text));
    // The reader or the service closed the connection; `close` reports either.
    response.on('error', () => undefined);
    response.once('close', () => (this.over = true));
  }

  get headers(): IncomingHttpHeaders {
    return this.response.headers;
  }

  /** Opens a stream on a connection of its own, as a browser does. Throws unless the response is 200. */
  static async open(browser: Browser, path: string): Promise<EventReader> {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const call = get(browser.origin + path, { headers: { cookie }, agent: false });
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    if (response.statusCode === 200) return new EventReader(response);
    response.destroy();
    throw new Error(`${path}: ${response.statusCode}`);
  }

  /** Waits for the next event of this name that fits, and returns its data. Skips those before it. */
  next(name: string, fits: (data: EventData) => boolean = () => true): Promise<EventData> {
    return eventually(() => {
      const events = this.events();
      const at = events.findIndex((one, index) => index >= this.taken && one.name === name && fits(one.data));
      if (at < 0) throw new Error(`no matching event ${name} in ${this.text}`);
      this.taken = at + 1;
      return events[at]!.data;
    });
  }

  /** Waits until the service ends the stream. */
  ended(): Promise<void> {
    return eventually(() => {
      if (!this.over) throw new Error('the event stream is still open');
    });
  }

  close(): void {
    this.response.destroy();
  }

  private events(): { name: string; data: EventData }[] {
    return this.text.split('\n\n').flatMap((block) => {
      const [, name, data] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
      return name === undefined ? [] : [{ name, data: JSON.parse(data!) as EventData }];
    });
  }
}

/** Opens the event stream that a page names in `data-events`. */
export function followed(browser: Browser, html: string): Promise<EventReader> {
  return EventReader.open(browser, /data-events="([^"]+)"/.exec(html)![1]!);
}
