type Headers = Readonly<Record<string, string>>;

/** A whole page. */
export class Html {
  constructor(
    readonly text: string,
    readonly status = 200,
    readonly headers: Headers = {},
  ) {}

  /** A page around a form, with the status and the headers of what was refused of it, where anything was. */
  static around({ status, headers }: Pick<Html, 'status' | 'headers'>, text: string): Html {
    return new Html(text, status, headers);
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
