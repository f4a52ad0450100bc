import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { ApiItemId } from '../../http/items/item-id.decorator.js';
import { type Page } from '../../http/lists/page.js';
import { ApiProblems, PAGE_HEADERS } from '../../http/openapi/openapi.js';
import { ListLocationsDto, LocationDto, LocationPageDto } from './dto/location.dto.js';
import { LocationsService } from './locations.service.js';

@ApiTags('Locations')
@Controller('v1/locations')
export class LocationsController {
  constructor(private readonly locations: LocationsService) {}

  /** Lists the locations from which monitors can be checked, by key. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: LocationPageDto, description: 'A page of locations.', headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() team: TeamId, @Query() query: ListLocationsDto): Promise<Page<LocationDto>> {
    return this.locations.list(team, query);
  }

  /** Gets a location. */
  @Get(':id')
  @RequireScope('read')
  @ApiItemId('location', 'default')
  @ApiOkResponse({ type: LocationDto, description: 'The location.' })
  @ApiProblems('not_found')
  get(@Param('id') id: string): Promise<LocationDto> {
    return this.locations.get(id);
  }
}
