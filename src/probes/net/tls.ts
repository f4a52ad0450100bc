import { isIP, type Socket } from 'node:net';
import { connect, type SecureContext, type TLSSocket } from 'node:tls';
import { onceFor } from '../../domain/memo.js';
import { type Deadline } from '../deadline.js';
import { mayBeNoWayOut, noWayOut } from './local-route.js';
import { errorCode, isOwnFault, ProbeFault } from './probe-fault.js';

export interface TlsOptions {
  /** The name or the address to which the certificate must belong. */
  host: string;
  /** `false` accepts any certificate. */
  verify: boolean;
  /** Application protocols to offer (ALPN); left out: none, for a server may refuse those that it does not speak. */
  protocols?: string[];
  context: SecureContext;
}

/**
 * A full TLS handshake on a connected socket. Rejects with a `ProbeFault` (`tls_…`, `connection_reset`, and `timeout`
 * at the deadline) and has closed the socket then.
 */
export function startTls(socket: Socket, options: TlsOptions, deadline: Deadline): Promise<TLSSocket> {
  const { host, verify, protocols, context } = options;
  // What follows the handshake must not wait for the receipt of its last message.
  socket.setNoDelay(true);
  return new Promise((resolve, reject) => {
    const secured: TLSSocket = connect({
      socket,
      host,
      servername: isIP(host) ? '' : host, // RFC 6066: an address is no server name.
      secureContext: context,
      rejectUnauthorized: verify,
      checkServerIdentity: (): Error | undefined => identityFault(secured, host),
      ...(protocols && { ALPNProtocols: protocols }),
    });
    // Node would make an object of the whole chain to check the name by, which takes a quarter of all that a handshake does.
    Object.assign(secured, { getPeerCertificate: () => NO_CERTIFICATE });
    const finish = (): void => {
      deadline.off(onDeadline);
      secured.off('secureConnect', onSecure);
      Reflect.deleteProperty(secured, 'getPeerCertificate');
    };
    const onSecure = (): void => {
      finish();
      resolve(secured);
    };
    const fail = (error: Error): void => {
      finish();
      secured.destroy();
      socket.destroy();
      reject(error);
    };
    const onDeadline = (): void =>
      fail(new ProbeFault('timeout', 'The TLS handshake did not finish within the time limit.'));
    // Stays attached: an error after the handshake must find a listener before the next user of the socket adds its own.
    secured.on('error', (error: Error) => fail(isOwnFault(error) ? error : tlsFault(error)));
    secured.once('secureConnect', onSecure);
    if (deadline.isOver) onDeadline();
    else deadline.on(onDeadline);
  });
}

const NO_CERTIFICATE = Object.freeze({});

/** Node takes the certificate out of the connection when it is asked for it, so that it is there once only. */
const certificateOf = onceFor((secured: TLSSocket) => secured.getPeerX509Certificate());

/** As `tls.checkServerIdentity` has it, with what OpenSSL knows of the certificate. */
function identityFault(secured: TLSSocket, host: string): Error | undefined {
  const certificate = certificateOf(secured);
  const matched = isIP(host) ? certificate?.checkIP(host) : certificate?.checkHost(host);
  if (matched !== undefined) return undefined;
  return Object.assign(new Error('the certificate belongs to another name'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
}

/** Whole days until the server's certificate expires, negative afterwards; `null` where it does not say. */
export function certificateDaysLeft(secured: TLSSocket): number | null {
  const expiry = Date.parse(certificateOf(secured)?.validTo ?? '');
  return Number.isNaN(expiry) ? null : Math.floor((expiry - Date.now()) / 86_400_000);
}

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_NOT_YET_VALID',
  'CERT_SIGNATURE_FAILURE',
  'CERT_CHAIN_TOO_LONG',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'HOSTNAME_MISMATCH',
]);

/** Names what went wrong in a handshake, or on a secured connection. */
export function tlsFault(error: unknown): ProbeFault {
  if (mayBeNoWayOut(error)) return noWayOut('the address of this target');
  const code = errorCode(error);
  if (code === 'CERT_HAS_EXPIRED') return new ProbeFault('tls_expired', 'The certificate has expired.');
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new ProbeFault('tls_name_mismatch', 'The certificate belongs to another name.');
  }
  if (UNTRUSTED.has(code)) return new ProbeFault('tls_untrusted', `The certificate is not trusted (${code}).`);
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return new ProbeFault('connection_reset', 'The connection was closed during the TLS handshake.');
  }
  return new ProbeFault('tls_failed', `The TLS handshake failed (${code || 'unknown error'}).`);
}
