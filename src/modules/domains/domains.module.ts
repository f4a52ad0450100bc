import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogModule } from '../events/event-log.module.js';
import { DomainReadingsService } from './domain-readings.service.js';
import { DomainRegistration } from './domain-registration.entity.js';
import { ExpiringDomainsService } from './expiring-domains.service.js';

/** The registrations of the domains that monitors check, and their expiry. */
@Module({
  imports: [TypeOrmModule.forFeature([DomainRegistration]), EventLogModule],
  providers: [DomainReadingsService, ExpiringDomainsService],
  exports: [DomainReadingsService, ExpiringDomainsService],
})
export class DomainsModule {}
