import { type X509Certificate } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { connect, type SecureContext, type TLSSocket } from 'node:tls';
import { onceFor } from '../../domain/memo.js';
import { type Deadline } from '../deadline.js';
import { mayBeNoWayOut, noWayOut } from './local-route.js';
import { errorCode, isOwnFault, ProbeFault } from './probe-fault.js';

export interface TlsOptions {
  /** The name or address for which the certificate must be issued. */
  host: string;
  /** `false` accepts any certificate. */
  verify: boolean;
  /**
   * Application protocols to offer (ALPN). By default none, because a server may refuse those that it does not support.
   */
  protocols?: string[];
  context: SecureContext;
  /**
   * Asks the server for a response about the revocation of its certificate (OCSP stapling), and receives it before the
   * handshake is complete; null if the server sends none.
   */
  onStaple?: (response: Buffer | null) => void;
  /** Receives the server's certificate once the handshake is complete, also if it is then not accepted. */
  onCertificate?: (certificate: X509Certificate) => void;
}

/**
 * Performs a full TLS handshake on a connected socket. On failure, closes the socket and rejects with a `ProbeFault`:
 * `tls_…`, `connection_reset`, or `timeout` at the deadline.
 */
export function startTls(socket: Socket, options: TlsOptions, deadline: Deadline): Promise<TLSSocket> {
  const { host, verify, protocols, context, onStaple, onCertificate } = options;
  // The first data after the handshake must not wait for the acknowledgement of its last message.
  socket.setNoDelay(true);
  return new Promise((resolve, reject) => {
    const secured: TLSSocket = connect({
      socket,
      host,
      servername: isIP(host) ? '' : host, // RFC 6066: an address is not a server name.
      secureContext: context,
      // Node closes a connection that it rejects, and its certificate is then lost. `onSecure` rejects it instead.
      rejectUnauthorized: false,
      checkServerIdentity: (): Error | undefined => identityFault(secured, host),
      ...(protocols && { ALPNProtocols: protocols }),
      ...(onStaple && { requestOCSP: true }),
    });
    if (onStaple) secured.once('OCSPResponse', (response: Buffer | null) => onStaple(response));
    // To verify the name, Node would convert the whole chain to an object, which takes a quarter of the handshake's
    // time.
    Object.assign(secured, { getPeerCertificate: () => NO_CERTIFICATE });
    const finish = (): void => {
      deadline.off(onDeadline);
      secured.off('secureConnect', onSecure);
      Reflect.deleteProperty(secured, 'getPeerCertificate');
    };
    const onSecure = (): void => {
      const certificate = certificateOf(secured);
      if (certificate) onCertificate?.(certificate);
      // As Node would, within the handshake: the error follows after it, when the socket below can be closed.
      if (verify && !secured.authorized) return void secured.destroy(unauthorized(secured));
      finish();
      resolve(secured);
    };
    const fail = (error: Error): void => {
      finish();
      secured.destroy();
      socket.destroy();
      reject(error);
    };
    const onDeadline = (): void => fail(new ProbeFault('timeout', 'The TLS handshake timed out.'));
    // Remains attached, because an error may occur after the handshake before the next user adds a listener.
    secured.on('error', (error: Error) => fail(isOwnFault(error) ? error : tlsFault(error)));
    secured.once('secureConnect', onSecure);
    if (deadline.isOver) onDeadline();
    else deadline.on(onDeadline);
  });
}

const NO_CERTIFICATE = Object.freeze({});

/** Node removes the certificate from the connection when it is first read, so the result must be cached. */
const certificateOf = onceFor((secured: TLSSocket) => secured.getPeerX509Certificate());

/** Returns why the certificate of a connection is not accepted. Node declares an error, but provides its code. */
function unauthorized({ authorizationError }: TLSSocket): Error {
  return Object.assign(new Error('the certificate is not accepted'), { code: String(authorizationError) });
}

/** Does the same as `tls.checkServerIdentity`, but with OpenSSL's own functions. */
function identityFault(secured: TLSSocket, host: string): Error | undefined {
  const certificate = certificateOf(secured);
  const matched = isIP(host) ? certificate?.checkIP(host) : certificate?.checkHost(host);
  if (matched !== undefined) return undefined;
  return Object.assign(new Error('the certificate is issued for another name'), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
}

/** Returns the whole days until the server's certificate expires, negative afterwards; `null` if unknown. */
export function certificateDaysLeft(secured: TLSSocket): number | null {
  const expiry = Date.parse(certificateOf(secured)?.validTo ?? '');
  return Number.isNaN(expiry) ? null : Math.floor((expiry - Date.now()) / 86_400_000);
}

/** Returns the SHA-256 fingerprint of the server's certificate in lower-case hexadecimal digits; `null` if unknown. */
export function certificateFingerprint(secured: TLSSocket): string | null {
  return certificateOf(secured)?.fingerprint256.replaceAll(':', '').toLowerCase() ?? null;
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

/** Returns the fault of an error in a handshake or on a TLS connection. */
export function tlsFault(error: unknown): ProbeFault {
  if (mayBeNoWayOut(error)) return noWayOut('the address of this target');
  const code = errorCode(error);
  if (code === 'CERT_HAS_EXPIRED') return new ProbeFault('tls_expired', 'The certificate has expired.');
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new ProbeFault('tls_name_mismatch', 'The certificate is not valid for this host name.');
  }
  if (UNTRUSTED.has(code)) return new ProbeFault('tls_untrusted', `The certificate is not trusted (${code}).`);
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return new ProbeFault('connection_reset', 'The connection was closed during the TLS handshake.');
  }
  return new ProbeFault('tls_failed', `The TLS handshake failed (${code || 'unknown error'}).`);
}
