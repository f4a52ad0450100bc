import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { ApiProblems } from '../../http/openapi/openapi.js';
import { OperationDto } from './dto/operation.dto.js';
import { ApiOperationId } from './operation-id.decorator.js';
import { OperationsService } from './operations.service.js';

@ApiTags('Operations')
@Controller('v1/operations')
export class OperationsController {
  constructor(private readonly operations: OperationsService) {}

  /** Gets an operation with its progress. Operations are deleted 30 days after they have finished. */
  @Get(':id')
  @RequireScope('read')
  @ApiOperationId()
  @ApiOkResponse({ type: OperationDto, description: 'The operation.' })
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<OperationDto> {
    return this.operations.get(team, id);
  }
}
