import { type ApiKey } from './api-key.entity.js';
import { isOverlapping, previousUntil } from './api-key-rotation.js';
import { type ApiKeyDto } from './dto/api-key.dto.js';

/**
 * Returns the representation of a key at `now` (epoch milliseconds). Secrets appear only as prefixes, that of the
 * previous one only while it is accepted.
 */
export function toApiKeyDto(key: ApiKey, now: number): ApiKeyDto {
  const time = (at: Date | null): string | null => at?.toISOString() ?? null;
  const overlapping = isOverlapping(key, now);
  return {
    id: key.id,
    revision: key.revision,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    expiresAt: time(key.expiresAt),
    lastUsedAt: time(key.lastUsedAt),
    createdAt: key.createdAt.toISOString(),
    createdBy: key.createdBy,
    revokedAt: time(key.revokedAt),
    previousPrefix: overlapping ? key.previousPrefix : null,
    previousExpiresAt: overlapping ? new Date(previousUntil(key)).toISOString() : null,
  };
}
