import { expect } from '@jest/globals';
import { type StatusPageDto } from '../../src/modules/status-pages/dto/status-page.dto.js';
import { type Client } from './client.js';

let made = 0;

/** Creates a status page with a slug that is unique in the file. Fails unless the response is 201. */
export async function createPage(api: Client, more: Record<string, unknown> = {}): Promise<StatusPageDto> {
  const body = { name: 'Example', slug: `example-${(made += 1)}`, ...more };
  const { status, body: page } = await api.post<StatusPageDto>('/v1/status-pages', body);
  expect({ status, page }).toMatchObject({ status: 201 });
  return page;
}
