import { PartialType } from '@nestjs/swagger';
import { CreateApiKeyDto } from './create-api-key.dto.js';

/** A JSON merge patch of a key: what is absent stays, `expiresAt: null` means never. */
export class UpdateApiKeyDto extends PartialType(CreateApiKeyDto) {}
