import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from './support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('health', () => {
  it('is alive', async () => {
    const { writeFileSync } = await import('node:fs');
    writeFileSync('/tmp/e2e-doc.json', JSON.stringify(app.document, null, 1));
    expect((await app.api().get('/healthz')).body).toEqual({ status: 'ok' });
  });
});
