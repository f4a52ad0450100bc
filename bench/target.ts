import { BenchChild } from './child.js';

/** Who signed the certificate of the secure port. */
export const CA_FILE = 'test/fixtures/tls/ca.pem';

export interface Ports {
  plain: number;
  secure: number;
}

/** A server of its own that answers with a small page, on 127.0.0.1. */
export async function startTarget(): Promise<{ process: BenchChild; ports: Ports }> {
  const certificate = ['test/fixtures/tls/valid.pem', 'test/fixtures/tls/test-only.key'];
  const process = await BenchChild.start('target-server.js', certificate);
  return { process, ports: JSON.parse(process.ready) as Ports };
}
