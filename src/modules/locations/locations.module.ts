import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RedisModule } from '../../redis/redis.module.js';
import { KnownLocationsService } from './known-locations.service.js';
import { Location } from './location.entity.js';
import { LocationHealthService } from './location-health.service.js';
import { LocationWorkersService } from './location-workers.service.js';
import { LocationsController } from './locations.controller.js';
import { LocationsService } from './locations.service.js';

/** The locations from which monitors are checked, and the workers there. */
@Module({
  imports: [TypeOrmModule.forFeature([Location]), RedisModule],
  controllers: [LocationsController],
  providers: [KnownLocationsService, LocationHealthService, LocationWorkersService, LocationsService],
  exports: [KnownLocationsService, LocationHealthService, LocationWorkersService, LocationsService],
})
export class LocationsModule {}
