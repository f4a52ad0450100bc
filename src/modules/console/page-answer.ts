type Headers = Readonly<Record<string, string>>;

/** A whole page. */
export class Html {
  constructor(
    readonly text: string,
    readonly status = 200,
    readonly headers: Headers = {},
  ) {}

  /**
   * A page around the form that was sent, with the status and the headers of what was refused of it, where anything was;
   * where none was sent, a page as any other.
   */
  static around(form: Pick<Html, 'status' | 'headers'> | undefined, text: string): Html {
    return new Html(text, form?.status, form?.headers);
  }
}

/** Another page to go on to, by GET: what every write that was done ends with, so that a reload repeats nothing. */
export class SeeOther {
  constructor(
    /** A path of this origin. */
    readonly location: string,
    readonly headers: Headers = {},
  ) {}
}

/** What a handler of the web application answers. */
export type PageAnswer = Html | SeeOther;
