import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { connectionTo, connectionUrl } from './connection.js';

describe('connectionUrl', () => {
  it.each(['/srv/data/run', '/a b/ü/50%/c&d=e', "/it's?/#1/run"])('is parsed by pg as intended: %s', (folder) => {
    const client = new Client({ connectionString: connectionUrl(connectionTo(folder, 'daywatch', 'daywatch')) });
    expect([client.host, client.port, client.user, client.database]).toEqual([folder, 5432, 'daywatch', 'daywatch']);
  });
});
