import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogModule } from '../events/event-log.module.js';
import { KeyVerifier } from '../../http/auth/principal.js';
import { RateLimit } from '../../http/throttle/rate-limit.entity.js';
import { TeamsModule } from '../teams/teams.module.js';
import { ApiKeyRotationService } from './api-key-rotation.service.js';
import { ApiKeyVerifierService } from './api-key-verifier.service.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { BootstrapService } from './bootstrap.service.js';
import { ExpiringApiKeysService } from './expiring-api-keys.service.js';
import { LastUsesService } from './last-uses.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey, RateLimit]), EventLogModule, TeamsModule],
  controllers: [ApiKeysController],
  providers: [
    ApiKeysService,
    ApiKeyRotationService,
    ApiKeyVerifierService,
    { provide: KeyVerifier, useExisting: ApiKeyVerifierService },
    BootstrapService,
    ExpiringApiKeysService,
    LastUsesService,
  ],
  exports: [ApiKeysService, ApiKeyRotationService, KeyVerifier, BootstrapService, ExpiringApiKeysService],
})
export class ApiKeysModule {}
