import { PartialType } from '@nestjs/swagger';
import { CreateApiKeyDto } from './create-api-key.dto.js';

/** A JSON merge patch of an API key. Absent fields do not change; `expiresAt: null` removes the expiry. */
export class UpdateApiKeyDto extends PartialType(CreateApiKeyDto) {}
