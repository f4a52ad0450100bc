import { type Type } from '@nestjs/common';
import { MonitorActionsController } from './actions.controller.js';
import { ChartDataController } from './chart-data.controller.js';
import { MonitorPageController } from './detail.controller.js';
import { MonitorFormController } from './form.controller.js';
import { LiveEventsController } from './live-events.controller.js';
import { MonitorListPageController } from './list.controller.js';

/** The pages of monitors. Where two of them could mean the same address, the one with the fixed word comes first. */
export const MONITOR_PAGES: readonly Type[] = [
  MonitorListPageController,
  LiveEventsController,
  MonitorFormController,
  ChartDataController,
  MonitorPageController,
  MonitorActionsController,
];
