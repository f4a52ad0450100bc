import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const SEALED = 'sealed:v1:';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Thrown if a sealed value cannot be opened: sealed with another `SECRET_KEY`, or modified. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError';
}

/** Performs all cryptography under `SECRET_KEY`: sealing (AES-256-GCM) and keyed hashes, with one key per purpose. */
export class SecretBox {
  /** Cached by purpose, because deriving a key takes longer than using it. */
  private readonly keys = new Map<string, Buffer>();
  private readonly sealing: Buffer;

  constructor(private readonly secretKey: string) {
    this.sealing = this.keyFor('seal');
  }

  /** A name for the key that reveals nothing about it. */
  get fingerprint(): string {
    return createHash('sha256').update(this.keyFor('fingerprint')).digest('hex').slice(0, 32);
  }

  /** Returns a 256-bit key for one purpose. There are only a few purposes. */
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

  /** Returns whether a text, such as JSON, contains sealed values. */
  static areIn(text: string): boolean {
    return text.includes(SEALED);
  }

  /** Seals a text. Each call returns a different result. */
  seal(plain: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.sealing, iv);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return SEALED + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
  }

  /** @throws UnsealError if the value was not sealed with this key, or was modified since. */
  open(sealed: string): string {
    if (!sealed.startsWith(SEALED)) throw new UnsealError('The value is not encrypted.');
    const raw = Buffer.from(sealed.slice(SEALED.length), 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.sealing, raw.subarray(0, IV_BYTES));
    decipher.setAuthTag(raw.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      return decipher.update(raw.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new UnsealError('The value was encrypted with another SECRET_KEY, or was modified.');
    }
  }
}
