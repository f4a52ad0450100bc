import { type PingKind } from '../../domain/heartbeat/heartbeat.js';
import { PING_KEY } from './ping-keys/ping-key-secret.js';

/** How a report names its monitor: by the monitor's own token, or by a ping key of the team and the monitor's key. */
export type PingTarget = { token: string } | { pingKey: string; monitorKey: string };

/** What the address of a report says. */
export interface PingAddress {
  target: PingTarget;
  kind: PingKind;
  exitStatus: number | null;
  /** The form in which responses are expected: plain text, or the JSON of Uptime Kuma. */
  style: 'text' | 'json';
  /** Parameters of the query. */
  query: URLSearchParams;
}

const SIGNAL = '(?:/(start|fail|log|\\d{1,3}))?/?$';
const TOKEN_PATH = new RegExp(`^/ping/([^/]+)${SIGNAL}`);
const KEY_PATH = new RegExp(`^/ping/(${PING_KEY})/([^/]+)${SIGNAL}`);
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
    // Uptime Kuma takes anything but `up` for a failure, such as `DOWN` or `error`.
    const kind = (query.get('status') || 'up') === 'up' ? 'success' : 'fail';
    return { target: { token: pushed }, kind, exitStatus: null, style: 'json', query };
  }
  const [, pingKey, monitorKey, keySignal] = KEY_PATH.exec(path) ?? [];
  if (pingKey !== undefined && monitorKey !== undefined) {
    return withSignal({ pingKey, monitorKey }, keySignal, query);
  }
  const [, token, signal] = TOKEN_PATH.exec(path) ?? [];
  return token === undefined ? null : withSignal({ token }, signal, query);
}

function withSignal(target: PingTarget, signal: string | undefined, query: URLSearchParams): PingAddress | null {
  const address = { target, exitStatus: null, style: 'text', query } as const;
  if (signal === undefined) return { ...address, kind: 'success' };
  if (!/^\d/.test(signal)) return { ...address, kind: signal as PingKind };
  const exitStatus = Number(signal);
  return exitStatus > 255 ? null : { ...address, kind: exitStatus === 0 ? 'success' : 'fail', exitStatus };
}
