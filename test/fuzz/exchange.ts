/** A request as it goes over the wire. */
export interface FuzzRequest {
  method: string;
  /** Path and query, percent-encoded or not. */
  target: string;
  /** In order, repeated ones included. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | null;
}

/** The answer to it. */
export interface FuzzAnswer {
  status: number;
  /** By name in lower case; repeated ones joined. */
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The parsed JSON where the media type says so, else the text; null where there is no body. */
  body: unknown;
}

/** Values of a header of a request, by its name in lower case. */
export function headersOf({ headers }: Pick<FuzzRequest, 'headers'>, name: string): string[] {
  return headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
}

export function pathOf({ target }: Pick<FuzzRequest, 'target'>): string {
  return target.split('?')[0] ?? '';
}

export function queryOf({ target }: Pick<FuzzRequest, 'target'>): string {
  return target.includes('?') ? target.slice(target.indexOf('?') + 1) : '';
}

/** The request as a line for a shell. */
export function asCurl(origin: string, { method, target, headers, body }: FuzzRequest): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = [`curl -i --path-as-is -X ${method} ${quote(origin + short(target))}`];
  for (const [name, value] of headers) parts.push(`-H ${quote(`${name}: ${short(value)}`)}`);
  if (body && body.length > 4_000) parts.push(`--data-binary <${body.length} bytes beginning ${excerpt(body)}>`);
  else if (body && isText(body)) parts.push(`--data-binary ${quote(body.toString())}`);
  else if (body) parts.push(`--data-binary @<(echo ${body.toString('base64')} | base64 -d)`);
  return parts.join(' \\\n    ');
}

/** Long runs of one character are told, not shown. */
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
