import { Module } from '@nestjs/common';
import { EventLog } from './event-log.service.js';

/** Recording of events. Apart from reading them, because the modules on which reading depends record as well. */
@Module({ providers: [EventLog], exports: [EventLog] })
export class EventLogModule {}
