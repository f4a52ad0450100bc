import { type PingKind } from '../../domain/heartbeat/heartbeat.js';

/** What the address of a report says. */
export interface PingAddress {
  token: string;
  kind: PingKind;
  exitStatus: number | null;
  /** The form in which responses are expected: plain text, or the JSON of Uptime Kuma. */
  style: 'text' | 'json';
  /** Parameters of the query. */
  query: URLSearchParams;
}

const PATH = /^\/ping\/([^/]+)(?:\/(start|fail|log|\d{1,3}))?\/?$/;
const PUSH_PATH = /^\/api\/push\/([^/]+)\/?$/;

/** Returns whether a request belongs to reports of jobs, whether or not its address is complete. */
export function isPing(url: string): boolean {
  return url.startsWith('/ping/') || url.startsWith('/api/push/');
}

/** Parses the address of a report, as Healthchecks and Uptime Kuma define it. Returns `null` for any other address. */
export function pingAddressOf(url: string): PingAddress | null {
  const at = url.indexOf('?');
  const path = at === -1 ? url : url.slice(0, at);
  const query = new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
  const [, pushed] = PUSH_PATH.exec(path) ?? [];
  if (pushed !== undefined) {
    const kind = query.get('status') === 'down' ? 'fail' : 'success';
    return { token: pushed, kind, exitStatus: null, style: 'json', query };
  }
  const [, token, signal] = PATH.exec(path) ?? [];
  if (token === undefined) return null;
  if (signal === undefined) return { token, kind: 'success', exitStatus: null, style: 'text', query };
  if (!/^\d/.test(signal)) return { token, kind: signal as PingKind, exitStatus: null, style: 'text', query };
  const exitStatus = Number(signal);
  return exitStatus > 255
    ? null
    : { token, kind: exitStatus === 0 ? 'success' : 'fail', exitStatus, style: 'text', query };
}
