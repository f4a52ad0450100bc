import { type ApiKey } from './api-key.entity.js';
import { type ApiKeyDto } from './dto/api-key.dto.js';

/** A key as it is shown: nothing of its secrets but their prefixes. */
export function toApiKeyDto(key: ApiKey): ApiKeyDto {
  const time = (at: Date | null): string | null => at?.toISOString() ?? null;
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    expiresAt: time(key.expiresAt),
    lastUsedAt: time(key.lastUsedAt),
    createdAt: key.createdAt.toISOString(),
    createdBy: key.createdBy,
    revokedAt: time(key.revokedAt),
    previousPrefix: key.previousPrefix,
    previousExpiresAt: time(key.previousExpiresAt),
  };
}
