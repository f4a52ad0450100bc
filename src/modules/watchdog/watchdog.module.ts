import { Module } from '@nestjs/common';
import { CheckerModule } from '../checker/checker.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { WatchdogService } from './watchdog.service.js';

/** Lets another service notice when this one does not do its work. */
@Module({ imports: [CheckerModule, NotificationsModule], providers: [WatchdogService], exports: [WatchdogService] })
export class WatchdogModule {}
