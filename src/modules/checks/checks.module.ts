import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { CheckResultsService } from './check-results.service.js';
import { Check } from './check.entity.js';
import { ChecksController } from './checks.controller.js';
import { ChecksService } from './checks.service.js';
import { PartitionsService } from './partitions.service.js';

/** Rows of finished checks. */
@Module({
  imports: [TypeOrmModule.forFeature([Check]), MonitorsModule],
  controllers: [ChecksController],
  providers: [CheckResultsService, ChecksService, PartitionsService],
  exports: [CheckResultsService, ChecksService, PartitionsService],
})
export class ChecksModule {}
