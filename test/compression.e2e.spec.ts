import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sharedApp, type TestApp } from './support/app.js';
import { createMonitor, httpMonitor } from './support/monitors.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
  const api = app.api(app.teams.ours.write);
  const more = { paused: true, description: 'x'.repeat(500) };
  await Promise.all(Array.from({ length: 5 }, () => createMonitor(api, httpMonitor('https://shop.example/', more))));
});
afterAll(() => app.close());

async function ask(path: string, headers: Record<string, string>) {
  const authorization = `Bearer ${app.teams.ours.read}`;
  const request = get(app.origin + path, { headers: { authorization, ...headers }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

const LIST = '/v1/monitors?sort=name';

describe.each(['/docs/openapi.json', '/docs/openapi.yaml'])('%s', (path) => {
  it('has the same ETag on every request, and is not sent to a client that has it', async () => {
    const [first, second] = [await ask(path, {}), await ask(path, {})];
    const etag = first.headers.etag!;
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(second.headers.etag).toBe(etag);
    const known = await ask(path, { 'if-none-match': etag });
    expect({ status: known.status, size: known.body.length }).toEqual({ status: 304, size: 0 });
    expect((await ask(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is compressed for a client that accepts gzip', async () => {
    const plain = await ask(path, {});
    const sent = await ask(path, { 'accept-encoding': 'gzip' });
    expect([plain.headers['content-encoding'], sent.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect(gunzipSync(sent.body).equals(plain.body)).toBe(true);
    expect(sent.body.length).toBeLessThan(plain.body.length / 4);
  });
});

describe('responses of the API', () => {
  it.each<[string, string | undefined, (body: Buffer) => Buffer]>([
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['identity', undefined, (body) => body],
    ['*;q=0', undefined, (body) => body],
  ])('to a client that accepts %s are encoded as %s', async (accepted, coding, decode) => {
    const plain = await ask(LIST, {});
    const sent = await ask(LIST, { 'accept-encoding': accepted });
    expect({ status: sent.status, coding: sent.headers['content-encoding'] }).toEqual({ status: 200, coding });
    expect(sent.headers.vary).toContain('Accept-Encoding');
    expect(decode(sent.body)).toEqual(plain.body);
    if (coding !== undefined) expect(sent.body.length).toBeLessThan(plain.body.length / 4);
  });

  it('are not compressed if they are small or the client sends no Accept-Encoding', async () => {
    expect((await ask('/v1/api-keys/self', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined();
    const { headers, body } = await ask(LIST, {});
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-length']).toBe(String(body.length));
  });

  it('have the same ETag in every encoding', async () => {
    const { body } = await ask(LIST, {});
    const { data } = JSON.parse(body.toString()) as { data: { id: string }[] };
    const path = `/v1/monitors/${data[0]!.id}`;
    const { headers } = await ask(path, { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    const again = await ask(path, { 'accept-encoding': 'br', 'if-none-match': headers.etag! });
    expect(again.status).toBe(304);
  });
});
