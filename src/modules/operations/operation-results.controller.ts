import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { type Page } from '../../http/lists/page.js';
import { ApiProblems, PAGE_HEADERS } from '../../http/openapi/openapi.js';
import { ListOperationResultsQuery, type OperationResultDto, OperationResultPageDto } from './dto/operation.dto.js';
import { ApiOperationId } from './operation-id.decorator.js';
import { OperationsService } from './operations.service.js';

@ApiTags('Operations')
@Controller('v1/operations/:id/results')
export class OperationResultsController {
  constructor(private readonly operations: OperationsService) {}

  /**
   * Lists the results of an operation by ascending monitor id, which is the order of processing. Addresses that match
   * no monitor come last. Use `status=failed` to list failures.
   */
  @Get()
  @RequireScope('read')
  @ApiOperationId()
  @ApiOkResponse({ type: OperationResultPageDto, description: 'A page of results.', headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor', 'not_found')
  list(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Query() query: ListOperationResultsQuery,
  ): Promise<Page<OperationResultDto>> {
    return this.operations.results(team, id, query);
  }
}
