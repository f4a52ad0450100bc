import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Location } from './location.entity.js';
import { LocationWritesService } from './location-writes.service.js';

/** For commands: changes of locations, which no route offers, because they concern all teams. */
@Module({
  imports: [TypeOrmModule.forFeature([Location])],
  providers: [LocationWritesService],
  exports: [LocationWritesService],
})
export class LocationWritesModule {}
