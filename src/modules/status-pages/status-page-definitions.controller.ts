import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { ApiItemId } from '../../http/items/item-id.decorator.js';
import { ApiConditionalGet, ApiProblems, ITEM_HEADERS, PAGE_HEADERS } from '../../http/openapi/openapi.js';
import { type Page } from '../../http/lists/page.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { type Representation } from '../../http/items/representation.js';
import { ListStatusPagesDto } from './dto/list-status-pages.dto.js';
import { StatusPageDefinitionDto, StatusPageDefinitionPageDto } from './dto/status-page.dto.js';
import { StatusPagesService } from './status-pages.service.js';

@ApiTags('Status pages')
@Controller('v1')
export class StatusPageDefinitionsController {
  constructor(private readonly pages: StatusPagesService) {}

  /** Lists the writable fields of status pages, for export. The filters are those of `GET /v1/status-pages`. */
  @Get('definitions/status-pages')
  @RequireScope('read')
  @ApiOkResponse({ type: StatusPageDefinitionPageDto, headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() team: TeamId, @Query() query: ListStatusPagesDto): Promise<Page<StatusPageDefinitionDto>> {
    return this.pages.listDefinitions(team, query);
  }

  /**
   * Gets the writable fields of a status page. Edit them and send them back with PUT. The `ETag` can be used as
   * `If-Match` of writes to the page.
   */
  @Get('status-pages/:id/definition')
  @RequireScope('read')
  @ApiItemId('page', 'example')
  @ApiConditionalGet()
  @ApiOkResponse({ type: StatusPageDefinitionDto, headers: ITEM_HEADERS })
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<Representation<StatusPageDefinitionDto>> {
    return this.pages.definition(team, id);
  }
}
