/** How Redis answers a login or a command that it does not permit. */
const REFUSALS = /^(?:WRONGPASS|NOAUTH|NOPERM)\b/;
/**
 * How Redis answers a write while it accepts none: its memory is full, it cannot save, it is a replica now, or it has too
 * few replicas.
 */
const READ_ONLY = /^(?:OOM|MISCONF|READONLY|NOREPLICAS)\b/;
/** What Node reports of a certificate that is not trusted, or issued for another name. */
const CERTIFICATES: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
];

/** Returns the kind of an error of a connection, or of a refusal; `null` for any other error. */
export function kindOfFault({ message, code }: NodeJS.ErrnoException): string | null {
  // The client library also has numeric codes, for errors of its scripts.
  const reply = REFUSALS.exec(message) ?? READ_ONLY.exec(message);
  return reply?.[0] ?? (typeof code === 'string' ? code : null);
}

/** Returns whether an error lasts until somebody corrects the settings of this process, or the user in Redis. */
export function isRefusal({ message, code = '' }: NodeJS.ErrnoException): boolean {
  return REFUSALS.test(message) || CERTIFICATES.includes(code);
}

/** Returns whether Redis accepts no writes from anybody now. */
export function isReadOnly({ message }: Error): boolean {
  return READ_ONLY.test(message);
}

/** Returns whether the server has become a replica: its name may lead to another one, which accepts writes. */
export function isDemoted({ message }: Error): boolean {
  return message.startsWith('READONLY ');
}
