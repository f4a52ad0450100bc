import { describe, expect, it } from '@jest/globals';
import { CAN_UNSHARE, probeWithoutNetwork } from '../../test/support/no-network.js';
import { findPingTool } from './ping/ping-tool.js';

const V4 = '192.0.2.1';
const V6 = '2001:db8::1';
const dns = (nameserver: string | null) => ({ host: 'x.example', settings: { recordType: 'A', nameserver } });

if (!CAN_UNSHARE) process.stderr.write('Checks without a network are not tried: that takes root, unshare and ip.\n');

(CAN_UNSHARE ? describe : describe.skip)('a machine with only a loopback network', () => {
  it.each<[string, object, string]>([
    ['tcp', { host: V4, port: 443 }, 'network_unavailable'],
    ['tcp', { host: V6, port: 443 }, 'network_unavailable'],
    ['tcp', { host: 'x.example', port: 443 }, 'network_unavailable'],
    ['tls', { host: V4, port: 443 }, 'network_unavailable'],
    ['http', { url: `http://${V4}/` }, 'network_unavailable'],
    ['http', { url: 'https://x.example/' }, 'network_unavailable'],
    ['dns', dns('192.0.2.53'), 'network_unavailable'],
    ['dns', dns('[2001:db8::53]:53'), 'network_unavailable'],
    // These have a route, so the fault lies with the target or with the operator's name server.
    ['tcp', { host: '127.0.0.1', port: 9 }, 'connect_refused'],
    ['tcp', { host: '::1', port: 9 }, 'connect_refused'],
    ['tcp', { host: 'localhost', port: 9 }, 'connect_refused'],
    ['http', { url: 'http://localhost:9/' }, 'connect_refused'],
    ['dns', dns('127.0.0.1:9'), 'dns_failed'],
  ])('ends a %s check of %j with %s', async (type, fields, code) => {
    const [outcome] = await probeWithoutNetwork([[type, fields]]);
    expect(outcome!.error?.code).toBe(code);
    if (code === 'network_unavailable') expect(outcome!.error!.message).toContain('no network route to');
  });

  it('reports a target without a route like a machine without any network does', async () => {
    const checks = [V4, V6, '127.0.0.1', '::1'].map((host) => ['tcp', { host, port: 9 }] as const);
    const outcomes = await probeWithoutNetwork(checks, []);
    expect(outcomes.map(({ error }) => error?.code)).toEqual(checks.map(() => 'network_unavailable'));
  });

  it('attributes EHOSTUNREACH to the target', async () => {
    const setUp = ['ip link set lo up', 'ip route add unreachable 192.0.2.0/24'];
    const [outcome] = await probeWithoutNetwork([['tcp', { host: V4, port: 9 }]], setUp);
    expect(outcome!.error?.code).toBe('connect_failed');
  });

  it('attributes an error from a remote router to the target, although it has the same code', async () => {
    const setUp = [
      'ip link set lo up',
      // Lives as long as the checking process, into which this shell turns.
      '{ unshare -n sh -c "while kill -0 $$; do sleep 0.2; done" >/dev/null 2>&1 & router=$!; }',
      'until [ "$(readlink /proc/$router/ns/net)" != "$(readlink /proc/$$/ns/net)" ]; do sleep 0.02; done',
      'ip link add near type veth peer name far',
      'ip link set far netns $router',
      'ip address add 10.9.0.1/24 dev near',
      'ip link set near up',
      'nsenter -t $router -n ip address add 10.9.0.2/24 dev far',
      'nsenter -t $router -n ip link set far up',
      "nsenter -t $router -n sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'",
      'ip route add default via 10.9.0.2',
    ];
    const [outcome] = await probeWithoutNetwork([['tcp', { host: V4, port: 9 }]], setUp);
    expect(outcome!.error).toMatchObject({ code: 'connect_failed', message: expect.stringContaining('ENETUNREACH') });
  });

  (findPingTool() ? it : it.skip)('ends a ping check with network_unavailable', async () => {
    const [outcome] = await probeWithoutNetwork([['ping', { host: V4 }]]);
    expect(outcome!.error?.code).toBe('network_unavailable');
  });
});
