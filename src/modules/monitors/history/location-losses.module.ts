import { Module } from '@nestjs/common';
import { EventLogModule } from '../../events/event-log.module.js';
import { LocationLossesService } from './location-losses.service.js';

/** Losses of locations. Apart from monitors, because the commands that change locations record their ends as well. */
@Module({ imports: [EventLogModule], providers: [LocationLossesService], exports: [LocationLossesService] })
export class LocationLossesModule {}
