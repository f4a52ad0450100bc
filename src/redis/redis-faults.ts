/** How Redis answers a login or a command that it does not permit. */
const REPLIES = /^(?:WRONGPASS|NOAUTH|NOPERM)\b/;
/** What Node reports of a certificate that is not trusted, or issued for another name. */
const CERTIFICATES: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
];

/** What `/readyz` reports about a Redis that this process cannot use. */
export const UNUSABLE = 'Redis does not respond, or refuses this process: see the log.';

/** Returns the kind of an error of a connection, or of a refusal; `null` for any other error. */
export function kindOfFault({ message, code }: NodeJS.ErrnoException): string | null {
  // The client library also has numeric codes, for errors of its scripts.
  return REPLIES.exec(message)?.[0] ?? (typeof code === 'string' ? code : null);
}

/** Returns whether an error lasts until somebody corrects the settings of this process, or the user in Redis. */
export function isRefusal({ message, code = '' }: NodeJS.ErrnoException): boolean {
  return REPLIES.test(message) || CERTIFICATES.includes(code);
}
