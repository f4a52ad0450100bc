import { ProbeFault } from '../net/probe-fault.js';

/** @throws ProbeFault if the server does not offer TLS */
export function offered(isOffered: boolean): void {
  if (!isOffered) throw new ProbeFault('tls_failed', 'The server does not offer TLS (STARTTLS).');
}

/** Returns the fault of a server that does not speak a protocol. */
export function notThis(protocol: string): ProbeFault {
  return new ProbeFault('protocol_error', `The server does not speak ${protocol}.`);
}
