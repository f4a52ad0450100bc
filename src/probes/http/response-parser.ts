import { ProbeFault } from '../net/probe-fault.js';

export const MAX_HEAD_BYTES = 64 * 1024;
const MAX_INTERIM_ANSWERS = 50;
/** Maximum length of a line between chunks, including extensions. */
const MAX_CHUNK_LINE_BYTES = 4 * 1024;
/** Maximum length of all lines between chunks: enough for a body of 1 MiB in chunks of one byte. */
const MAX_FRAMING_BYTES = 8 * 1024 * 1024;

export interface ResponseHead {
  statusCode: number;
  /** Keyed by lower-case name. */
  headers: Record<string, string[] | undefined>;
}

export interface ResponseEvents {
  /** Called with the head of the final response. Returns `false` to skip the body; then no more events follow. */
  onHead(head: ResponseHead): boolean;
  onBody(chunk: Buffer): void;
  /** Called when the response is complete; any data after it is ignored. */
  onEnd(): void;
}

/** The part of a response that the next byte belongs to. */
type Place = 'head' | 'sized' | 'until close' | 'chunk size' | 'chunk' | 'after chunk' | 'trailer' | 'done';

const NOTHING = Buffer.alloc(0);
const CR = 13;
const LF = 10;
const HEAD_END = Buffer.from('\r\n\r\n');
const BEGINNING = Buffer.from('HTTP/1.');
const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const FIELD = /^([!#$%&'*+\-.^_`|~\dA-Za-z]+):([\t\x20-\x7e\x80-\xff]*)$/;
const FOLDED = /^[\t ]/;
const LENGTH = /^\d{1,15}$/;
const CHUNK_SIZE = /^([\da-f]{1,8})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;

/**
 * Parses one HTTP/1.1 response (RFC 9112) as it arrives, in pieces of any size. Accepts exactly what the grammar
 * allows. Throws a `ProbeFault` otherwise: `protocol_error` or, for a head over 64 KiB or over 8 MiB between chunks,
 * `response_too_large`.
 */
export class ResponseParser {
  private place: Place = 'head';
  /** The part of a head, or of a line between chunks, that has arrived so far. */
  private rest: Buffer | null = null;
  /** The memory of `rest`, with spare room, because each piece may contain only one byte. */
  private store = NOTHING;
  private framingBytes = 0;
  private remaining = 0;
  private interimAnswers = 0;
  private trailerBytes = 0;

  /** @param bodiless whether the response to this request has no body (HEAD) */
  constructor(
    private readonly bodiless: boolean,
    private readonly events: ResponseEvents,
  ) {}

  /**
   * Parses the next piece.
   * @throws ProbeFault
   */
  feed(data: Buffer): void {
    let unread = leftOf(data, 0);
    while (unread !== null && this.place !== 'done') unread = this.step(unread);
  }

  /** Ends parsing after an orderly close of the connection, and returns whether the response is complete. */
  close(): boolean {
    if (this.place === 'until close') this.finish();
    return this.place === 'done';
  }

  /** Parses the next part of `data` and returns the rest of it, or `null` if nothing is left. */
  private step(data: Buffer): Buffer | null {
    switch (this.place) {
      case 'head':
        return this.readHead(data);
      case 'sized':
      case 'chunk':
        return this.readSized(data);
      case 'until close':
        this.events.onBody(data);
        return null;
      case 'chunk size':
      case 'after chunk':
      case 'trailer':
        return this.readLine(data);
      case 'done':
        return null;
    }
  }

  private readHead(data: Buffer): Buffer | null {
    const before = this.rest?.length ?? 0;
    const all = this.withRest(data);
    // Fails early if the data cannot become a response.
    const known = Math.min(all.length, BEGINNING.length);
    if (all.compare(BEGINNING, 0, known, 0, known) !== 0) throw invalid('it does not begin with an HTTP version');
    const end = all.indexOf(HEAD_END, Math.max(0, before - HEAD_END.length));
    if ((end === -1 ? all.length : end) > MAX_HEAD_BYTES) {
      throw new ProbeFault('response_too_large', 'The headers of the response are larger than 64 KiB.');
    }
    if (end === -1) {
      this.rest = all;
      return null;
    }
    this.forgetRest();
    this.takeHead(parseHead(all.toString('latin1', 0, end)));
    return leftOf(all, end + HEAD_END.length);
  }

  private takeHead(head: ResponseHead): void {
    const { statusCode, headers } = head;
    if (statusCode < 200 && statusCode !== 101) {
      this.interimAnswers += 1;
      if (this.interimAnswers > MAX_INTERIM_ANSWERS) {
        throw new ProbeFault('protocol_error', 'There are too many interim (1xx) responses.');
      }
      return;
    }
    const length = bodyLength(headers);
    const wanted = this.events.onHead(head);
    // After an upgrade (101), the following data is not HTTP.
    const empty = this.bodiless || statusCode === 101 || statusCode === 204 || statusCode === 304 || length === 0;
    if (!wanted) this.place = 'done';
    else if (empty) this.finish();
    else if (length === 'chunked') this.place = 'chunk size';
    else if (length === null) this.place = 'until close';
    else {
      this.place = 'sized';
      this.remaining = length;
    }
  }

  private readSized(data: Buffer): Buffer | null {
    const part = data.length > this.remaining ? data.subarray(0, this.remaining) : data;
    this.remaining -= part.length;
    this.events.onBody(part);
    if (this.remaining === 0) {
      if (this.place === 'chunk') this.place = 'after chunk';
      else this.finish();
    }
    return leftOf(data, part.length);
  }

  private readLine(data: Buffer): Buffer | null {
    const before = this.rest?.length ?? 0;
    const all = this.withRest(data);
    const end = all.indexOf(LF, before);
    if (end > MAX_CHUNK_LINE_BYTES || (end === -1 && all.length > MAX_CHUNK_LINE_BYTES)) {
      throw invalid('a line between its chunks is too long');
    }
    // Only a line end may follow a chunk, so this fails before the line is complete.
    if (this.place === 'after chunk' && all[0] !== CR) throw invalid('a chunk is longer than its stated size');
    if (end === -1) {
      this.rest = all;
      return null;
    }
    this.forgetRest();
    this.framingBytes += end;
    if (this.framingBytes > MAX_FRAMING_BYTES) {
      throw new ProbeFault('response_too_large', 'The lines between the chunks of the response are larger than 8 MiB.');
    }
    if (all[end - 1] !== CR) throw invalid('a line does not end with CR LF');
    this.takeLine(all.toString('latin1', 0, end - 1));
    return leftOf(all, end + 1);
  }

  private takeLine(line: string): void {
    if (this.place === 'after chunk') {
      if (line !== '') throw invalid('a chunk is longer than its stated size');
      this.place = 'chunk size';
    } else if (this.place === 'chunk size') {
      const [, size] = CHUNK_SIZE.exec(line) ?? [];
      if (size === undefined) throw invalid('a chunk has no valid size');
      this.remaining = Number.parseInt(size, 16);
      this.place = this.remaining === 0 ? 'trailer' : 'chunk';
    } else if (line === '') this.finish();
    else {
      this.trailerBytes += line.length;
      if (this.trailerBytes > MAX_HEAD_BYTES) throw invalid('its trailer is too long');
      if (!FIELD.test(line)) throw invalid('a trailer line is malformed');
    }
  }

  /** Returns the rest from earlier pieces followed by the new data. */
  private withRest(data: Buffer): Buffer {
    if (this.rest === null) return data;
    const before = this.rest.length;
    const length = before + data.length;
    if (length > this.store.length) {
      this.store = Buffer.allocUnsafeSlow(2 * length);
      this.rest.copy(this.store);
    }
    data.copy(this.store, before);
    return this.store.subarray(0, length);
  }

  /** Clears the rest, because its remaining bytes belong to the body now. */
  private forgetRest(): void {
    this.rest = null;
    this.store = NOTHING;
  }

  private finish(): void {
    this.place = 'done';
    this.events.onEnd();
  }
}

/** Parses the head of a response, without the empty line at its end. @throws ProbeFault */
export function parseHead(text: string): ResponseHead {
  const [first = '', ...lines] = text.split('\r\n');
  const [, status] = STATUS_LINE.exec(first) ?? [];
  if (status === undefined) throw invalid('its first line is not a status line');
  // The target chooses the names, so the object must not inherit any properties.
  const headers = Object.create(null) as ResponseHead['headers'];
  let values: string[] | null = null;
  for (const line of lines) {
    if (values && FOLDED.test(line)) {
      // RFC 9112, 5.2: a folded value is treated as one line.
      const folded = FIELD.exec(`x:${line}`);
      if (!folded) throw invalid('the value of a header is not valid');
      values.push(joined(values.pop()!, withoutBlanks(folded[2]!)));
      continue;
    }
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name === undefined) throw invalid('a header line is malformed');
    values = headers[name.toLowerCase()] ??= [];
    values.push(withoutBlanks(value!));
  }
  return { statusCode: Number(status), headers };
}

/** Trims blanks around a field value. A regular expression could take seconds for a long run of blanks. */
function withoutBlanks(value: string): string {
  let from = 0;
  let to = value.length;
  while (from < to && isBlank(value, from)) from += 1;
  while (to > from && isBlank(value, to - 1)) to -= 1;
  return value.slice(from, to);
}

function isBlank(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t';
}

function joined(before: string, line: string): string {
  return before === '' || line === '' ? before + line : `${before} ${line}`;
}

/**
 * Returns the length of the body according to the head (RFC 9112, 6.3); `null` if the end of the connection ends it.
 */
function bodyLength(headers: ResponseHead['headers']): number | 'chunked' | null {
  const codings = headers['transfer-encoding'];
  const lengths = headers['content-length'];
  if (codings && lengths) throw invalid('it has both Content-Length and Transfer-Encoding');
  if (codings) {
    if (codings.includes('')) throw invalid('it has an empty Transfer-Encoding header');
    const names = codings.join(',').toLowerCase().split(',');
    return names.at(-1)!.trim() === 'chunked' ? 'chunked' : null;
  }
  if (!lengths) return null;
  if (lengths.length > 1 || !LENGTH.test(lengths[0]!)) throw invalid('its Content-Length is not valid');
  return Number(lengths[0]);
}

function leftOf(data: Buffer, from: number): Buffer | null {
  return from < data.length ? data.subarray(from) : null;
}

function invalid(why: string): ProbeFault {
  return new ProbeFault('protocol_error', `The response is not valid HTTP: ${why}.`);
}
