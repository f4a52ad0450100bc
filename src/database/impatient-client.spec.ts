import { afterEach, describe, expect, it } from '@jest/globals';
import { Pool, type PoolClient } from 'pg';
import { scriptedServer, type ScriptedServer } from '../../test/support/scripted-server.js';
import { ConnectionGate, servingLimits } from './impatient-client.js';

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const TERMINATED = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'));

/** Encodes a message of PostgreSQL's protocol. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

let server: ScriptedServer;
afterEach(() => server.close());

describe('a connection of the pool', () => {
  it('that the server terminates as soon as it is open fails its query, and nothing else', async () => {
    server = await scriptedServer((socket) => {
      socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, TERMINATED])));
    });
    const pool = new Pool({
      ...servingLimits(new ConnectionGate()),
      connectionString: `postgres://127.0.0.1:${server.port}/x`,
    });
    pool.on('error', () => undefined);
    // As TypeORM does it: its own listener follows once the promise is awaited.
    const client = await new Promise<PoolClient>((resolve, reject) => {
      pool.connect((error, connected) => (error ? reject(error) : resolve(connected!)));
    });
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release(true);
    await pool.end();
  });
});
