import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type RequestHandler } from 'express';
import { type AddressInfo } from 'node:net';
import { fixedText } from './fixed-text.js';

const TEXT = 'name: Daywatch\n'.repeat(1_000);

@Module({})
class EmptyModule {}

/** The bodies that were sent, before they were written to a socket. */
let bodies: unknown[];
const recorded: RequestHandler = (_request, response, next) => {
  const send = response.send.bind(response);
  response.send = (body: unknown) => {
    bodies.push(body);
    return send(body);
  };
  next();
};

let app: NestExpressApplication;
let url: string;
beforeAll(async () => {
  app = await NestFactory.create<NestExpressApplication>(EmptyModule, { logger: false });
  app.use(
    '/text',
    recorded,
    fixedText('text/yaml', () => TEXT),
  );
  await app.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}/text`;
});
beforeEach(() => {
  bodies = [];
});
afterAll(() => app.close());

async function ask(coding: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers: { 'accept-encoding': coding, ...headers } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('fixedText', () => {
  it.each([
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['identity', null],
  ])('computes the body for Accept-Encoding: %s only once', async (accepted, coding) => {
    const answers = [...(await Promise.all([ask(accepted), ask(accepted)])), await ask(accepted)];
    for (const { status, headers, text } of answers) {
      expect({ status, coding: headers.get('content-encoding'), text }).toEqual({ status: 200, coding, text: TEXT });
      expect(headers.get('content-type')).toBe('text/yaml; charset=utf-8');
    }
    expect(bodies).toHaveLength(3);
    for (const body of bodies) expect(body === bodies[0]).toBe(true);
  });

  it('has the same ETag in every encoding, and sends no body to a client that has it', async () => {
    const etags = await Promise.all(
      ['gzip', 'br', 'identity'].map(async (one) => (await ask(one)).headers.get('etag')),
    );
    expect(new Set(etags).size).toBe(1);
    bodies = [];
    const { status, headers, text } = await ask('gzip', { 'if-none-match': etags[0]! });
    expect({ status, etag: headers.get('etag'), text, bodies }).toEqual({
      status: 304,
      etag: etags[0],
      text: '',
      bodies: [],
    });
    expect((await ask('gzip', { 'if-none-match': '"other"' })).status).toBe(200);
  });
});
