import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { ApiItemId } from '../../http/items/item-id.decorator.js';
import { ApiConditionalGet, ApiProblems, ITEM_HEADERS, PAGE_HEADERS } from '../../http/openapi/openapi.js';
import { type Page } from '../../http/lists/page.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { type Representation } from '../../http/items/representation.js';
import { ListMaintenanceWindowsDto } from './dto/list-maintenance-windows.dto.js';
import { MaintenanceWindowDefinitionDto, MaintenanceWindowDefinitionPageDto } from './dto/maintenance-window.dto.js';
import { MaintenanceWindowsService } from './maintenance-windows.service.js';

@ApiTags('Maintenance windows')
@Controller('v1')
export class MaintenanceWindowDefinitionsController {
  constructor(private readonly windows: MaintenanceWindowsService) {}

  /**
   * Lists the writable fields of maintenance windows, for export. The filters are those of `GET
   * /v1/maintenance-windows`.
   */
  @Get('definitions/maintenance-windows')
  @RequireScope('read')
  @ApiOkResponse({ type: MaintenanceWindowDefinitionPageDto, headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor')
  list(
    @CurrentTeam() team: TeamId,
    @Query() query: ListMaintenanceWindowsDto,
  ): Promise<Page<MaintenanceWindowDefinitionDto>> {
    return this.windows.listDefinitions(team, query);
  }

  /**
   * Gets the writable fields of a maintenance window. Edit them and send them back with PUT. The `ETag` can be used as
   * `If-Match` of writes to the window.
   */
  @Get('maintenance-windows/:id/definition')
  @RequireScope('read')
  @ApiItemId('maintenance window', 'deploy-42')
  @ApiConditionalGet()
  @ApiOkResponse({ type: MaintenanceWindowDefinitionDto, headers: ITEM_HEADERS })
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<Representation<MaintenanceWindowDefinitionDto>> {
    return this.windows.definition(team, id);
  }
}
