import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Deadline } from '../deadline.js';
import { createAddressPolicy, type AllowPrivateTargets } from './address-policy.js';
import { closeSocket } from './connection.js';
import { Egress } from './egress.js';
import { type NameResolver } from './name-resolver.js';

const forever = new Deadline();

/** A resolver that knows only these names. */
function names(zone: Record<string, string[] | (() => string[])>): NameResolver {
  return {
    resolve(name) {
      const known = zone[name];
      if (!known) return Promise.reject(new Error(`no ${name}`));
      return Promise.resolve(typeof known === 'function' ? known() : known);
    },
  };
}

function egress(
  allow: AllowPrivateTargets,
  zone: Parameters<typeof names>[0] = {},
  forbidden: { host: string; port: number }[] = [],
) {
  return new Egress(createAddressPolicy(allow), names(zone), { forbidden });
}

describe('Egress', () => {
  let server: Server;
  let port: number;
  let connections: number;

  beforeEach(async () => {
    connections = 0;
    server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => new Promise((done) => server.close(done)));

  it.each([
    [['10.0.0.1'], []],
    [['8.8.8.8', '10.0.0.1', '::1'], ['8.8.8.8']],
    [['::ffff:8.8.8.8'], ['8.8.8.8']],
    [['127.0.0.1', '169.254.169.254', '0.0.0.0', 'fd00:ec2::254'], []],
  ])('returns for the addresses %j only %j', async (answer, kept) => {
    const resolved = egress([], { 'x.example': answer }).resolve('x.example', forever);
    if (kept.length > 0) await expect(resolved).resolves.toEqual(kept);
    else await expect(resolved).rejects.toMatchObject({ code: 'address_blocked' });
  });

  it('evaluates literals in any notation without a name server', async () => {
    for (const host of ['127.0.0.1', '2130706433', '[::1]', '0x7f.1', '::ffff:7f00:1']) {
      await expect(egress([]).resolve(host, forever)).rejects.toMatchObject({ code: 'address_blocked' });
    }
    await expect(egress(['127.0.0.0/8']).resolve('0x7f.1', forever)).resolves.toEqual(['127.0.0.1']);
  });

  it('applies the policy again when it connects', async () => {
    await expect(egress([]).connect(['127.0.0.1'], port, forever)).rejects.toMatchObject({ code: 'address_blocked' });
    expect(connections).toBe(0);
  });

  it('applies the policy to a name whose address has changed', async () => {
    let asked = 0;
    const out = egress([], { 'rebind.example': () => (asked++ === 0 ? ['8.8.8.8'] : ['127.0.0.1']) });
    expect(await out.resolve('rebind.example', forever)).toEqual(['8.8.8.8']);
    await expect(out.resolve('rebind.example', forever)).rejects.toMatchObject({ code: 'address_blocked' });
  });

  it('connects to the next address if the first one fails', async () => {
    const { socket, address } = await egress(true).connect(['127.0.0.2', '127.0.0.1'], port, forever);
    closeSocket(socket);
    expect(address).toBe('127.0.0.1');
  });

  it('reports the error of the first address if all fail', async () => {
    await expect(egress(true).connect(['127.0.0.3', '127.0.0.2'], port, forever)).rejects.toMatchObject({
      code: 'connect_refused',
    });
  });

  it.each([
    ['by address', '127.0.0.1'],
    ['by name', 'database.example'],
    ['as localhost in IPv6', '::1'],
  ])('never reaches a forbidden endpoint specified %s, but its other ports', async (_, host) => {
    const zone = { 'database.example': ['127.0.0.1'] };
    const out = egress(true, zone, [{ host, port }]);
    for (const address of ['127.0.0.1', '127.0.0.2', '::1', '::ffff:7f00:1']) {
      await expect(out.connect([address], port, forever)).rejects.toMatchObject({ code: 'address_blocked' });
    }
    expect(connections).toBe(0);
    const { socket } = await egress(true, zone, [{ host, port: port + 1 }]).connect(['127.0.0.1'], port, forever);
    closeSocket(socket);
  });

  it('never reaches the ports of the service itself, which are known only once it listens', async () => {
    const ownPorts = new Uint32Array(2);
    const out = new Egress(createAddressPolicy(true), names({}), { ownPorts });
    closeSocket((await out.connect(['127.0.0.1'], port, forever)).socket);
    ownPorts[1] = port;
    for (const address of ['127.0.0.1', '127.0.0.2', '::1', '::ffff:7f00:1']) {
      await expect(out.connect([address], port, forever)).rejects.toMatchObject({ code: 'address_blocked' });
    }
    expect(connections).toBe(1);
    await expect(out.reachable(['192.0.2.1'], port, forever)).resolves.toEqual(['192.0.2.1']);
  });

  it('returns which addresses other clients may reach at a port', async () => {
    const out = egress(['127.0.0.0/8'], {}, [{ host: 'localhost', port: 5_432 }]);
    await expect(out.reachable(['8.8.8.8', '10.0.0.1', '127.0.0.2'], 53, forever)).resolves.toEqual([
      '8.8.8.8',
      '127.0.0.2',
    ]);
    await expect(out.reachable(['10.0.0.1', '169.254.169.254'], 53, forever)).rejects.toMatchObject({
      code: 'address_blocked',
    });
  });

  it('fails with a fault of the service if a forbidden name cannot be resolved', async () => {
    const out = egress(true, {}, [{ host: 'database.example', port }]);
    await expect(out.connect(['127.0.0.1'], port, forever)).rejects.not.toHaveProperty('code');
  });

  it('stops resolving and connecting at the deadline', async () => {
    const never = { resolve: () => new Promise<string[]>(() => undefined) };
    const out = new Egress(createAddressPolicy(true), never);
    const deadline = new Deadline();
    setTimeout(() => deadline.end(), 20);
    await expect(out.resolve('x.example', deadline)).rejects.toMatchObject({ code: 'dns_failed' });
    await expect(out.connect(['127.0.0.1'], port, deadline)).rejects.toMatchObject({
      code: 'connect_timeout',
    });
  });
});
