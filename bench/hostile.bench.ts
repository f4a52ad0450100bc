import { type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { settledDescriptors } from '../test/support/descriptors.js';
import {
  flood,
  HOSTILE_BEHAVIOURS,
  HOSTILE_CHECKS,
  HOSTILE_DATAGRAM_CHECKS,
  HOSTILE_DATAGRAMS,
  HOSTILE_REGISTRY,
  hostileFields,
} from '../test/support/hostile-servers.js';
import {
  datagramServer,
  type DatagramServer,
  scriptedServer,
  type ScriptedServer,
} from '../test/support/scripted-server.js';
import { createAddressPolicy } from '../src/probes/net/address-policy.js';
import { Egress } from '../src/probes/net/egress.js';
import { DnsResolver } from '../src/probes/net/name-resolver.js';
import { probeOf } from '../src/probes/index.js';
import { runProbe } from '../src/probes/run-check.js';
import { residentMib } from './cpu.js';
import { keep, printTable, rounded } from './table.js';

const FLOODS: [name: string, act: (socket: Socket) => void][] = [
  ['sends one endless line', (socket) => void flood(socket, Buffer.alloc(65_536, '2'))],
];

/**
 * Runs many checks of each type against servers that do not behave, and measures how late the slowest ended after its
 * deadline, and the memory and the descriptors of this process before and after.
 */
export async function benchHostile(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      checks: { type: 'string', default: '10000' },
      'at-once': { type: 'string', default: '500' },
      timeout: { type: 'string', default: '200' },
    },
  });
  const [count, atOnce, timeoutMs] = [values.checks, values['at-once'], values.timeout].map(Number) as [
    number,
    number,
    number,
  ];
  const egress = new Egress(createAddressPolicy(['127.0.0.0/8']), new DnsResolver());
  const checks = [...HOSTILE_CHECKS, HOSTILE_REGISTRY, ...HOSTILE_DATAGRAM_CHECKS];
  const overUdp = new Set(HOSTILE_DATAGRAM_CHECKS.map(([type]) => type));
  const types = [...new Set(checks.map(([type]) => type))];
  const rows = new Map<string, Record<string, unknown>>();
  for (const type of types) {
    const variants = checks.filter(([one]) => one === type);
    const servers = await (overUdp.has(type) ? datagramServers() : scriptedServers());
    const codes = new Map<string, number>();
    let slowestMs = 0;
    const before = { descriptors: await settledDescriptors(), mib: (await residentMib(process.pid)).now };
    let started = 0;
    const work = async (): Promise<void> => {
      while (started < count) {
        const number = started++;
        const [, more] = variants[number % variants.length]!;
        const { port } = servers[number % servers.length]!;
        const from = performance.now();
        const { error } = await runProbe(probeOf(type)!, hostileFields(port, more), { timeoutMs, egress });
        slowestMs = Math.max(slowestMs, performance.now() - from);
        const code = error?.code ?? 'up';
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await Promise.all(servers.map(async (server: Partial<ScriptedServer>) => server.idle?.()));
    const after = { descriptors: await settledDescriptors(), mib: (await residentMib(process.pid)).now };
    await Promise.all(servers.map((server) => server.close()));
    rows.set(type, {
      'over deadline ms': rounded(slowestMs - timeoutMs),
      'descriptors before': before.descriptors,
      'descriptors after': after.descriptors,
      'MiB before': rounded(before.mib),
      'MiB after': rounded(after.mib),
      up: codes.get('up') ?? 0,
      checker_error: codes.get('checker_error') ?? 0,
      codes: [...codes.keys()].sort().join(' '),
    });
    process.stdout.write(`${type}: ${JSON.stringify(rows.get(type))}\n`);
  }
  const shown = new Map([...rows].map(([type, { codes: _, ...row }]) => [type, row as Record<string, number>]));
  printTable(shown, Object.keys([...shown.values()][0]!));
  await keep('hostile', { options: values, rows: Object.fromEntries(rows) });
}

function scriptedServers(): Promise<ScriptedServer[]> {
  return Promise.all([...HOSTILE_BEHAVIOURS, ...FLOODS].map(([, act]) => scriptedServer(act)));
}

function datagramServers(): Promise<DatagramServer[]> {
  return Promise.all(HOSTILE_DATAGRAMS.map(([, act]) => datagramServer(act)));
}
