type Headers = Readonly<Record<string, string>>;

/** A complete page. */
export class Html {
  constructor(
    readonly text: string,
    readonly status = 200,
    readonly headers: Headers = {},
  ) {}

  /**
   * Creates a page that contains a sent form. If the form was refused, the page has the status and headers of the
   * refusal. Without a sent form, it is like any other page.
   */
  static around(form: Pick<Html, 'status' | 'headers'> | undefined, text: string): Html {
    return new Html(text, form?.status, form?.headers);
  }
}

/** A redirect to another page by GET. Every successful write ends with one, so that a reload repeats nothing. */
export class SeeOther {
  constructor(
    /** A path of this origin. */
    readonly location: string,
    readonly headers: Headers = {},
  ) {}
}

/** The response of a handler of the web application. */
export type PageAnswer = Html | SeeOther;
