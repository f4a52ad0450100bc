import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ProbeFault } from './net/probe-fault.js';

const derive = promisify(pbkdf2);
/** No channel binding (RFC 5802, section 7). */
const GS2_HEADER = 'n,,';
/** More would let a server keep this machine busy. */
const MAX_ITERATIONS = 200_000;
const LENGTHS = { sha1: 20, sha256: 32 } as const;

/** The client's side of SCRAM (RFC 5802, RFC 7677), in which neither side reveals the password. */
export class Scram {
  private readonly firstBare: string;
  private serverSignature: Buffer | null = null;

  constructor(
    private readonly hash: keyof typeof LENGTHS,
    username: string,
    /** Normalized as the protocol demands. */
    private readonly password: string,
    private readonly nonce = randomBytes(18).toString('base64'),
  ) {
    this.firstBare = `n=${username.replaceAll('=', '=3D').replaceAll(',', '=2C')},r=${this.nonce}`;
  }

  get clientFirst(): string {
    return GS2_HEADER + this.firstBare;
  }

  /** Returns the client's final message. @throws ProbeFault if the server's first message is invalid */
  async clientFinal(serverFirst: string): Promise<string> {
    const { r: nonce, s: salt, i: count } = attributesOf(serverFirst);
    const iterations = Number(count);
    if (!nonce?.startsWith(this.nonce) || !salt || !(iterations >= 1 && iterations <= MAX_ITERATIONS)) throw invalid();
    const { hash } = this;
    const salted = await derive(this.password, Buffer.from(salt, 'base64'), iterations, LENGTHS[hash], hash);
    const hmac = (key: Buffer, text: string): Buffer => createHmac(hash, key).update(text).digest();
    const clientKey = hmac(salted, 'Client Key');
    const storedKey = createHash(hash).update(clientKey).digest();
    const withoutProof = `c=${Buffer.from(GS2_HEADER).toString('base64')},r=${nonce}`;
    const signed = `${this.firstBare},${serverFirst},${withoutProof}`;
    const signature = hmac(storedKey, signed);
    this.serverSignature = hmac(hmac(salted, 'Server Key'), signed);
    const proof = clientKey.map((byte, index) => byte ^ signature[index]!);
    return `${withoutProof},p=${Buffer.from(proof).toString('base64')}`;
  }

  /** Verifies that the server knows the password, too. @throws ProbeFault if it does not */
  verify(serverFinal: string): void {
    const given = Buffer.from(attributesOf(serverFinal).v ?? '', 'base64');
    const expected = this.serverSignature;
    if (given.length !== expected?.length || !timingSafeEqual(given, expected)) throw invalid();
  }
}

function attributesOf(message: string): Record<string, string | undefined> {
  return Object.fromEntries(message.split(',').map((part) => [part.charAt(0), part.slice(2)]));
}

function invalid(): ProbeFault {
  return new ProbeFault('authentication_failed', 'The server did not complete the authentication (SCRAM) correctly.');
}
