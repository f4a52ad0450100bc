import { BenchChild } from './child.js';

/** The CA certificate that signed the certificate of the secure port. */
export const CA_FILE = 'test/fixtures/tls/ca.pem';

export interface Ports {
  plain: number;
  secure: number;
}

/** Starts a server process that serves a small page on 127.0.0.1. */
export async function startTarget(): Promise<{ process: BenchChild; ports: Ports }> {
  const certificate = ['test/fixtures/tls/valid.pem', 'test/fixtures/tls/test-only.key'];
  const process = await BenchChild.start('target-server.js', certificate);
  return { process, ports: JSON.parse(process.ready) as Ports };
}
