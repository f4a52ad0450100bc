import { parentPort, workerData } from 'node:worker_threads';
import { createAddressPolicy } from '../net/address-policy.js';
import { Egress } from '../net/egress.js';
import { DnsResolver } from '../net/name-resolver.js';
import { type Orders, type ThreadSettings } from './messages.js';
import { ProbeEngine } from './probe-engine.js';

const { allowPrivateTargets, forbidden } = workerData as ThreadSettings;
const egress = new Egress(createAddressPolicy(allowPrivateTargets), new DnsResolver(), { forbidden });
const port = parentPort!;
const engine = new ProbeEngine(egress, (report) => port.postMessage(report, [report.rows.buffer as ArrayBuffer]));
port.on('message', (orders: Orders) => engine.take(orders));
