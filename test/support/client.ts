import { type Problem } from '../../src/http/problems/problem.js';
import { type Contract } from './openapi.js';

export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  /** The parsed JSON, or the text of another media type; null if there is no body. */
  body: T;
}

export interface CallOptions {
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged. The headers should include a `content-type`; the default is JSON. */
  text?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

/**
 * Calls the service over HTTP with one API key, and validates every exchange against the service's OpenAPI document.
 */
export class Client {
  constructor(
    private readonly origin: string,
    private readonly contract: Contract | null,
    private readonly key: string | null,
  ) {}

  async call<T = Problem>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    const { json, text = json === undefined ? undefined : JSON.stringify(json), headers } = options;
    const sentType = headers?.['content-type'] ?? 'application/json';
    const response = await fetch(this.origin + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.key !== null && { authorization: `Bearer ${this.key}` }),
        ...headers,
        ...(text !== undefined && { 'content-type': sentType }),
      },
      ...(text !== undefined && { body: text }),
    });
    const contentType = response.headers.get('content-type');
    const received = await textOf(response);
    const isJson = /^application\/(.+\+)?json\b/.test(contentType ?? '');
    const body: unknown = received === '' ? null : isJson ? JSON.parse(received) : received;
    this.contract?.check({ method, path, sent: json, sentType, status: response.status, contentType, body });
    return { status: response.status, headers: response.headers, body: body as T };
  }

  get<T = Problem>(path: string): Promise<Answer<T>> {
    return this.call<T>('GET', path);
  }

  post<T = Problem>(path: string, json?: unknown): Promise<Answer<T>> {
    return this.call<T>('POST', path, { json });
  }

  put<T = Problem>(path: string, json: unknown, headers?: Record<string, string>): Promise<Answer<T>> {
    return this.call<T>('PUT', path, { json, ...(headers && { headers }) });
  }

  patch<T = Problem>(path: string, json: unknown): Promise<Answer<T>> {
    return this.call<T>('PATCH', path, { json });
  }

  delete<T = Problem>(path: string): Promise<Answer<T>> {
    return this.call<T>('DELETE', path);
  }
}

/** Returns the text of a response; of a stream, which does not end, what it begins with. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}
