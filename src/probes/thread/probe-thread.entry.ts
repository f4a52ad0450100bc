import { parentPort, workerData } from 'node:worker_threads';
import { createAddressPolicy } from '../net/address-policy.js';
import { Egress } from '../net/egress.js';
import { DnsResolver } from '../net/name-resolver.js';
import { delaysIn } from './loop-delay.js';
import { type Orders, type Report, type ThreadStart } from './messages.js';
import { ProbeEngine } from './probe-engine.js';
import { Pulse } from './pulse.js';

const { settings, pulse, delays } = workerData as ThreadStart;
const { allowPrivateTargets, ...options } = settings;
const egress = new Egress(createAddressPolicy(allowPrivateTargets), new DnsResolver(), options);
const port = parentPort!;
const send = (report: Report): void => port.postMessage(report, [report.rows.buffer as ArrayBuffer]);
const engine = new ProbeEngine(egress, new Pulse(pulse), delaysIn(delays), send);
port.on('message', (orders: Orders) => engine.take(orders));
