import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChecksModule } from '../checks/checks.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { BulkMonitorsController } from './bulk-monitors.controller.js';
import { BulkMonitorsService } from './bulk-monitors.service.js';
import { BulkSelectionService } from './bulk-selection.service.js';
import { MonitorActionsService } from './monitor-actions.service.js';
import { OperationClaimsService } from './operation-claims.service.js';
import { OperationItem } from './operation-item.entity.js';
import { OperationItemsService } from './operation-items.service.js';
import { OperationResultsController } from './operation-results.controller.js';
import { OperationRunnerService } from './operation-runner.service.js';
import { Operation } from './operation.entity.js';
import { OperationsController } from './operations.controller.js';
import { OperationsWorkerService } from './operations-worker.service.js';
import { OperationsService } from './operations.service.js';

/** Actions on many monitors, and the operations that carry them out. */
@Module({
  imports: [TypeOrmModule.forFeature([Operation, OperationItem]), ChecksModule, MonitorsModule, TeamsModule],
  controllers: [BulkMonitorsController, OperationsController, OperationResultsController],
  providers: [
    BulkMonitorsService,
    BulkSelectionService,
    MonitorActionsService,
    OperationClaimsService,
    OperationItemsService,
    OperationRunnerService,
    OperationsService,
    OperationsWorkerService,
  ],
  exports: [BulkMonitorsService, OperationsService],
})
export class OperationsModule {}
