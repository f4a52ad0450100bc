import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { SecretBox } from '../../database/secret-box.js';
import { KeyVerifier } from '../../http/auth/principal.js';
import { type Credential, credentialOf, hashSecret } from './api-key-credential.js';
import { prefixOf } from './api-key-secret.js';
import { ApiKey } from './api-key.entity.js';
import { BriefCache } from './brief-cache.js';
import { type Caller } from './key-writer.types.js';
import { LastUsesService } from './last-uses.service.js';

/** Every process must refuse a revoked key within this time, so nothing read from the database is cached for longer. */
const TRUST_MS = 1_000;
const MAX_CACHED = 10_000;

/** Verifies the secrets of API keys, with at most one query per secret and second, unless a caller asks for more. */
@Injectable()
export class ApiKeyVerifierService extends KeyVerifier {
  /**
   * Look-ups by the HMAC of the secret, including those of unknown secrets; the secret itself is not stored. The age of
   * a look-up counts from when its query was sent. Concurrent requests share a running look-up.
   */
  private readonly lookups = new BriefCache<Promise<Credential | null>>(TRUST_MS, MAX_CACHED);

  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly box: SecretBox,
    private readonly uses: LastUsesService,
  ) {
    super();
  }

  /**
   * Verifies a secret as `KeyVerifier` specifies. A key is expired from `expiresAt` on, compared with `now` (epoch ms).
   */
  override async verify(secret: string, now = Date.now(), maxAgeMs = TRUST_MS): Promise<Caller | null> {
    const prefix = prefixOf(secret);
    if (prefix === null) return null;
    const credential = await this.lookUp(prefix, hashSecret(this.box, secret), now, maxAgeMs);
    if (credential === null || now >= credential.validUntil) return null;
    const { keyId, name, teamId, scopes } = credential;
    this.uses.note(keyId, now);
    return { keyId, name, teamId, scopes, prefix };
  }

  /** Clears the cache, so that the process that has just changed a key does not accept its old state for a second. */
  forgetAll(): void {
    this.lookups.clear();
  }

  private lookUp(prefix: string, hash: Buffer, now: number, maxAgeMs: number): Promise<Credential | null> {
    const name = hash.toString('base64');
    const known = this.lookups.get(name, now, maxAgeMs);
    if (known) return known;
    const lookup = this.find(prefix, hash);
    this.lookups.set(name, lookup, now);
    // A failed query must not be cached. The caller awaits `lookup` itself and gets the error.
    lookup.catch(() => this.lookups.drop(name, lookup));
    return lookup;
  }

  private async find(prefix: string, hash: Buffer): Promise<Credential | null> {
    const candidates = await this.keys.findBy([{ prefix }, { previousPrefix: prefix }]);
    for (const key of candidates) {
      const credential = credentialOf(key, hash);
      if (credential) return credential;
    }
    return null;
  }
}
