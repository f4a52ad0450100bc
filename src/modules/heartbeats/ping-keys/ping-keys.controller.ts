import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../http/auth/access.decorators.js';
import { CurrentPrincipal, CurrentTeam, type TeamId } from '../../../http/auth/principal.js';
import { Keep, type KeepAnswer } from '../../../http/idempotency/keep-answer.js';
import { Located } from '../../../http/items/representation.js';
import { type Page, PageQueryDto } from '../../../http/lists/page.js';
import { ApiProblems, BODY_PROBLEMS, CREATED_HEADERS, NO_STORE, PAGE_HEADERS } from '../../../http/openapi/openapi.js';
import { type Caller } from '../../api-keys/key-writer.types.js';
import { CreatePingKeyDto, PingKeyDto, PingKeyPageDto, PingKeyWithSecretDto } from './dto/ping-key.dto.js';
import { PingKeysService } from './ping-keys.service.js';

const PingKeyId = () =>
  ApiParam({
    name: 'id',
    description: 'The id of the key.',
    schema: { type: 'string', format: 'uuid', example: '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55' },
  });

@ApiTags('Heartbeats')
@Controller('v1/ping-keys')
export class PingKeysController {
  constructor(private readonly keys: PingKeysService) {}

  /** Lists the ping keys of the team, newest first. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: PingKeyPageDto, description: 'A page of ping keys.', headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() team: TeamId, @Query() query: PageQueryDto): Promise<Page<PingKeyDto>> {
    return this.keys.list(team, query);
  }

  /**
   * Creates a ping key. With it, jobs report to any heartbeat monitor of the team by the monitor's own key:
   * `/ping/<ping key>/<monitor key>`; `?create=1` creates a missing monitor. The response contains the secret, which is
   * not shown again: a response replayed for an `Idempotency-Key` has `secret` null. The key is deleted when the member
   * who created it, directly or with an API key, leaves the team or becomes a viewer.
   */
  @Post()
  @RequireScope('write')
  @Located('/v1/ping-keys/{id}')
  @Header('Cache-Control', 'no-store')
  @ApiBody({
    type: CreatePingKeyDto,
    examples: { machine: { summary: 'A key for the jobs of a machine.', value: { name: 'Cron on web-1' } } },
  })
  @ApiCreatedResponse({
    type: PingKeyWithSecretDto,
    description: 'The key with its secret.',
    headers: { Location: CREATED_HEADERS.Location, ...NO_STORE },
  })
  @ApiProblems(...BODY_PROBLEMS, 'limit_reached')
  create(
    @CurrentTeam() team: TeamId,
    @CurrentPrincipal() caller: Caller,
    @Body() body: unknown,
    @Keep() keep: KeepAnswer,
  ): Promise<PingKeyWithSecretDto> {
    return this.keys.create(team, caller, body, keep);
  }

  /** Gets a ping key, without its secret. */
  @Get(':id')
  @RequireScope('read')
  @PingKeyId()
  @ApiOkResponse({ type: PingKeyDto, description: 'The key.' })
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<PingKeyDto> {
    return this.keys.get(team, id);
  }

  /**
   * Deletes a ping key. Reports with it are rejected from then on, by other processes of the service after 30 seconds at
   * most. Monitors that it created remain.
   */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('write')
  @PingKeyId()
  @ApiNoContentResponse({ description: 'Deleted.' })
  @ApiProblems('not_found')
  remove(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<void> {
    return this.keys.remove(team, id);
  }
}
