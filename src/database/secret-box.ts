import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const SEALED = 'sealed:v1:';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Thrown where a sealed value cannot be opened: another `SECRET_KEY`, or a changed value. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError';
}

/** Everything done under `SECRET_KEY`: sealing (AES-256-GCM) and keyed hashes, each purpose with a key of its own. */
export class SecretBox {
  /** By purpose: deriving one takes longer than what it is used for. */
  private readonly keys = new Map<string, Buffer>();
  private readonly sealing: Buffer;

  constructor(private readonly secretKey: string) {
    this.sealing = this.keyFor('seal');
  }

  /** A name for the key itself that reveals nothing of it. */
  get fingerprint(): string {
    return createHash('sha256').update(this.keyFor('fingerprint')).digest('hex').slice(0, 32);
  }

  /** A 256-bit key for one purpose, of which there are a few. */
  keyFor(purpose: string): Buffer {
    const known = this.keys.get(purpose);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', this.secretKey, 'daywatch', purpose, 32));
    this.keys.set(purpose, key);
    return key;
  }

  hmac(purpose: string, text: string): Buffer {
    return createHmac('sha256', this.keyFor(purpose)).update(text).digest();
  }

  /** The sealed form of a text: each sealing gives another one. */
  seal(plain: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.sealing, iv);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return SEALED + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
  }

  /** @throws UnsealError when the value was not sealed by this key, or was changed since. */
  open(sealed: string): string {
    if (!sealed.startsWith(SEALED)) throw new UnsealError('not a sealed value');
    const raw = Buffer.from(sealed.slice(SEALED.length), 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.sealing, raw.subarray(0, IV_BYTES));
    decipher.setAuthTag(raw.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      return decipher.update(raw.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new UnsealError('sealed with another SECRET_KEY, or changed since');
    }
  }
}
