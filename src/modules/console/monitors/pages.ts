import { type Type } from '@nestjs/common';
import { MonitorActionsController } from './actions.controller.js';
import { ChartDataController } from './chart-data.controller.js';
import { MonitorPageController } from './detail.controller.js';
import { DrillPageController } from './drill.controller.js';
import { ExclusionsPageController } from './exclusions/exclusions.controller.js';
import { MonitorFormController } from './form.controller.js';
import { LiveEventsController } from './live-events.controller.js';
import { MonitorListPageController } from './list.controller.js';

/**
 * The controllers of monitor pages. If two of them match the same address, the one with the fixed segment comes first.
 */
export const MONITOR_PAGES: readonly Type[] = [
  MonitorListPageController,
  LiveEventsController,
  MonitorFormController,
  ChartDataController,
  DrillPageController,
  ExclusionsPageController,
  MonitorPageController,
  MonitorActionsController,
];
