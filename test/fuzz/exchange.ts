/** A request as it is sent. */
export interface FuzzRequest {
  method: string;
  /** Path and query, percent-encoded or not. */
  target: string;
  /** The headers in order, including repeated ones. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | null;
}

/** The response to a request. */
export interface FuzzAnswer {
  status: number;
  /** The headers by name in lower case, with repeated ones joined. */
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The parsed JSON if the media type is JSON, otherwise the text; null if there is no body. */
  body: unknown;
}

/** Returns the values of a request header, by its name in lower case. */
export function headersOf({ headers }: Pick<FuzzRequest, 'headers'>, name: string): string[] {
  return headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
}

export function pathOf({ target }: Pick<FuzzRequest, 'target'>): string {
  return target.split('?')[0] ?? '';
}

export function queryOf({ target }: Pick<FuzzRequest, 'target'>): string {
  return target.includes('?') ? target.slice(target.indexOf('?') + 1) : '';
}

/** Returns the request as a curl command. */
export function asCurl(origin: string, { method, target, headers, body }: FuzzRequest): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = [`curl -i --path-as-is -X ${method} ${quote(origin + short(target))}`];
  for (const [name, value] of headers) parts.push(`-H ${quote(`${name}: ${short(value)}`)}`);
  if (body && body.length > 4_000) parts.push(`--data-binary <${body.length} bytes beginning ${excerpt(body)}>`);
  else if (body && isText(body)) parts.push(`--data-binary ${quote(body.toString())}`);
  else if (body) parts.push(`--data-binary @<(echo ${body.toString('base64')} | base64 -d)`);
  return parts.join(' \\\n    ');
}

/** Abbreviates long runs of one character. */
function short(text: string): string {
  return text.replace(/(.)\1{200,}/g, (run, one: string) => `<${run.length} times ${one}>`);
}

function excerpt(body: Buffer): string {
  return JSON.stringify(body.subarray(0, 200).toString('latin1'));
}

function isText(body: Buffer): boolean {
  const text = body.toString();
  return !/[\p{Cc}\ufffd]/u.test(text) && Buffer.from(text).equals(body);
}
