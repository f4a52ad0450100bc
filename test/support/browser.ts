import { formsOf, type PageForm } from './html-forms.js';

export interface PageOfBrowser {
  status: number;
  /** The path after all redirects, with its query. */
  path: string;
  headers: Headers;
  html: string;
}

interface RawCall {
  form?: Record<string, string> | string;
  headers?: Record<string, string>;
}

const MAX_REDIRECTS = 5;

/** A browser without JavaScript: stores cookies, follows redirects, and submits the forms of a page as they are. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** The current page. */
  page: PageOfBrowser = { status: 0, path: '', headers: new Headers(), html: '' };

  constructor(readonly origin: string) {}

  /** Opens a path, as from the address bar. */
  async open(path: string): Promise<PageOfBrowser> {
    return (this.page = await this.follow(path, await this.call('GET', path)));
  }

  /**
   * Fills in the form of the current page with this `action` and submits it, to `to` if one of its buttons has another
   * target.
   */
  async submit(action: string, values: Record<string, string> = {}, to = action): Promise<PageOfBrowser> {
    const form = Object.fromEntries(this.form(action).fields);
    const answer = await this.call('POST', to, { form: { ...form, ...values } });
    return (this.page = await this.follow(to, answer));
  }

  /** Returns the form of the current page with this `action`. */
  form(action: string): PageForm {
    const forms = formsOf(this.page.html);
    const found = forms.find((one) => one.action === action);
    if (!found)
      throw new Error(`no form for ${action} on ${this.page.path}, only: ${forms.map((one) => one.action).join(' ')}`);
    return found;
  }

  /** The token in the forms of the current page. */
  get formToken(): string {
    return formsOf(this.page.html)
      .flatMap(({ fields }) => fields)
      .find(([name]) => name === '_token')![1];
  }

  /** Sends one request with the cookies. A form is sent from a page of the origin unless `headers` override that. */
  async call(method: string, path: string, { form, headers = {} }: RawCall = {}): Promise<Response> {
    const body = typeof form === 'object' ? new URLSearchParams(form).toString() : form;
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.origin + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie && { cookie }),
        ...(body !== undefined && { origin: this.origin, 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  private async follow(path: string, response: Response): Promise<PageOfBrowser> {
    let at = path;
    let answer = response;
    for (let turn = 0; [302, 303].includes(answer.status); turn += 1) {
      if (turn === MAX_REDIRECTS) throw new Error(`too many redirects at ${at}`);
      at = answer.headers.get('location') ?? '';
      answer = await this.call('GET', at);
    }
    return { status: answer.status, path: at, headers: answer.headers, html: await answer.text() };
  }

  private keep(line: string): void {
    const [pair = ''] = line.split(';');
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    if (/max-age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
