import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Responses about revocation: signed by the authority itself, by its delegate, and about a revoked certificate. */
export const OCSP_SAMPLES = ['good', 'delegated', 'revoked'] as const;
export type OcspSample = (typeof OCSP_SAMPLES)[number];

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
const VALID = ['-days', '2'];
const UNTIL = '491231235959Z';

/**
 * Makes with OpenSSL, in a folder, an authority (`ca.pem`), a certificate of it for `localhost` (`chain.pem`,
 * `leaf.key`), and OCSP responses about that certificate (such as `good.der`).
 */
export async function makeAuthority(folder: string): Promise<void> {
  const openssl = async (...words: string[]): Promise<void> => {
    await promisify(execFile)('openssl', words, { cwd: folder });
  };
  const certify = async (name: string, serial: number, subject: string, extension: string): Promise<void> => {
    await writeFile(join(folder, 'extensions'), extension);
    await openssl('req', ...NEW_KEY, '-subj', subject, '-keyout', `${name}.key`, '-out', 'request');
    const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', String(serial)];
    await openssl(
      'x509',
      '-req',
      '-in',
      'request',
      ...authority,
      ...VALID,
      '-extfile',
      'extensions',
      '-out',
      `${name}.pem`,
    );
  };
  await openssl('req', '-x509', ...NEW_KEY, ...VALID, '-subj', '/CN=authority', '-keyout', 'ca.key', '-out', 'ca.pem');
  await certify('leaf', 1, '/CN=localhost', 'subjectAltName=DNS:localhost');
  await certify('delegate', 2, '/CN=delegate', 'extendedKeyUsage=OCSPSigning');
  const parts = await Promise.all(['leaf.pem', 'ca.pem'].map((file) => readFile(join(folder, file), 'utf8')));
  await writeFile(join(folder, 'chain.pem'), parts.join(''));
  for (const sample of OCSP_SAMPLES) {
    const state = sample === 'revoked' ? ['R', UNTIL, '260101000000Z'] : ['V', UNTIL, ''];
    await writeFile(join(folder, 'index'), [...state, '01', 'unknown', '/CN=localhost\n'].join('\t'));
    const signer = sample === 'delegated' ? 'delegate' : 'ca';
    const about = ['-index', 'index', '-CA', 'ca.pem', '-issuer', 'ca.pem', '-cert', 'leaf.pem', '-ndays', '1'];
    await openssl('ocsp', ...about, '-rsigner', `${signer}.pem`, '-rkey', `${signer}.key`, '-respout', `${sample}.der`);
  }
}
