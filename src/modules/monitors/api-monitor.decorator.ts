import { ApiBody } from '@nestjs/swagger';
import { ApiItemId } from '../../http/items/item-id.decorator.js';
import { ref } from '../../http/openapi/type-schemas.js';
import { MONITOR_EXAMPLES, TRIAL_EXAMPLES } from './definition/monitor-schemas.js';

/** Documents `:id` of a monitor. */
export const ApiMonitorId = (key = 'checkout-api') => ApiItemId('monitor', key);

/** Documents a monitor definition as the request body. */
export const ApiMonitorBody = () =>
  ApiBody({ required: true, schema: ref('MonitorCreate'), examples: MONITOR_EXAMPLES });

/** Documents a definition that is tested and not stored as the request body. */
export const ApiTrialBody = () => ApiBody({ required: true, schema: ref('MonitorCreate'), examples: TRIAL_EXAMPLES });
