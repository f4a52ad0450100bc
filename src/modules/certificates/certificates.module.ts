import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogModule } from '../events/event-log.module.js';
import { Certificate } from './certificate.entity.js';
import { CertificateReadingsService } from './certificate-readings.service.js';
import { ExpiringCertificatesService } from './expiring-certificates.service.js';
import { MonitorCertificate } from './monitor-certificate.entity.js';

/** The certificates that monitors see, and their expiry. */
@Module({
  imports: [TypeOrmModule.forFeature([Certificate, MonitorCertificate]), EventLogModule],
  providers: [CertificateReadingsService, ExpiringCertificatesService],
  exports: [CertificateReadingsService, ExpiringCertificatesService],
})
export class CertificatesModule {}
