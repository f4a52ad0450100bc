import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LocationLossesModule } from '../monitors/history/location-losses.module.js';
import { Location } from './location.entity.js';
import { LocationWritesService } from './location-writes.service.js';

/** For commands: changes of locations, which no route offers, because they concern all teams. */
@Module({
  imports: [TypeOrmModule.forFeature([Location]), LocationLossesModule],
  providers: [LocationWritesService],
  exports: [LocationWritesService],
})
export class LocationWritesModule {}
