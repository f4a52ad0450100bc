import { Agent, request as send } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { headersOf, type FuzzAnswer, type FuzzRequest } from './exchange.js';

const ANSWER_WITHIN_MS = 30_000;

/** Sends requests unchanged over persistent connections, with only the headers added that frame them. */
export class Wire {
  private readonly agent: Agent;
  private readonly url: URL;

  constructor(origin: string, connections: number) {
    this.url = new URL(origin);
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Sends a request. Rejects if there is no complete response. */
  send(request: FuzzRequest): Promise<FuzzAnswer> {
    const { method, target, body } = request;
    const { hostname, port, host } = this.url;
    const framing: [string, string][] = headersOf(request, 'host').length === 0 ? [['Host', host]] : [];
    framing.push(['Connection', 'keep-alive']);
    if (body) framing.push(['Content-Length', String(body.length)]);
    const headers = [...framing, ...request.headers].flat();
    return new Promise((resolve, reject) => {
      const outgoing = send({ agent: this.agent, hostname, port, method, path: target, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const pairs = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
          const answer = { status: response.statusCode ?? 0, headers: Object.fromEntries(pairs) as Headers };
          try {
            resolve({ ...answer, ...read(answer.headers, Buffer.concat(chunks)) });
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
      });
      outgoing.setTimeout(ANSWER_WITHIN_MS, () => outgoing.destroy(new Error(`no response in ${ANSWER_WITHIN_MS} ms`)));
      outgoing.on('error', reject);
      outgoing.end(body ?? undefined);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

type Headers = Record<string, string>;

const UNPACK: Record<string, ((bytes: Buffer) => Buffer) | undefined> = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  br: brotliDecompressSync,
};

function read(headers: Headers, bytes: Buffer): Pick<FuzzAnswer, 'text' | 'body'> {
  const unpack = UNPACK[headers['content-encoding'] ?? 'identity'];
  if (!unpack) throw new Error(`unknown Content-Encoding: ${headers['content-encoding']}`);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(unpack(bytes));
  if (text === '') return { text, body: null };
  const isJson = /^application\/(.+\+)?json\b/.test(headers['content-type'] ?? '');
  return { text, body: isJson ? (JSON.parse(text) as unknown) : text };
}
