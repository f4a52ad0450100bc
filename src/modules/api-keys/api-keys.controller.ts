import { type ServerResponse } from 'node:http';
import { Body, Controller, Delete, Get, Header, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '../../http/access.decorators.js';
import { ApiProblems, BODY_PROBLEMS } from '../../http/openapi.js';
import { type Page } from '../../http/page.js';
import { CurrentPrincipal, CurrentTeam, type Principal, type TeamId } from '../../http/principal.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyDto, ApiKeyPageDto, ApiKeyWithSecretDto } from './dto/api-key.dto.js';
import { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import { ListApiKeysDto } from './dto/list-api-keys.dto.js';
import { UpdateApiKeyDto } from './dto/update-api-key.dto.js';

const ApiKeyId = () => ApiParam({ name: 'id', schema: { type: 'string', format: 'uuid' } });

@ApiTags('API keys')
@Controller('v1/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /** The keys of the team, the newest first. */
  @Get()
  @RequireScope('admin')
  @ApiOkResponse({
    type: ApiKeyPageDto,
    description: 'A page of keys.',
    headers: { Link: { description: '`rel="next"` where there is a next page.', schema: { type: 'string' } } },
  })
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() teamId: TeamId, @Query() query: ListApiKeysDto): Promise<Page<ApiKeyDto>> {
    return this.keys.list(teamId, query);
  }

  /** Make a key. The answer holds its secret, this once. No key makes one whose scopes or expiry exceed its own. */
  @Post()
  @RequireScope('admin')
  @Header('Cache-Control', 'no-store')
  @ApiBody({ type: CreateApiKeyDto })
  @ApiCreatedResponse({
    type: ApiKeyWithSecretDto,
    description: 'The key with its secret.',
    headers: { Location: { description: 'The address of the key.', schema: { type: 'string' } } },
  })
  @ApiProblems('forbidden', ...BODY_PROBLEMS)
  async create(
    @CurrentTeam() teamId: TeamId,
    @CurrentPrincipal() caller: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<ApiKeyWithSecretDto> {
    const key = await this.keys.create(teamId, caller, body);
    response.setHeader('Location', `/v1/api-keys/${key.id}`);
    return key;
  }

  /** The key that makes this request, whatever its scopes. */
  @Get('self')
  @RequireScope('read')
  @ApiOkResponse({ type: ApiKeyDto, description: 'The key.' })
  @ApiProblems()
  self(@CurrentPrincipal() { teamId, keyId }: Principal): Promise<ApiKeyDto> {
    return this.keys.get(teamId, keyId);
  }

  /** One key, a revoked one too. */
  @Get(':id')
  @RequireScope('admin')
  @ApiKeyId()
  @ApiOkResponse({ type: ApiKeyDto, description: 'The key.' })
  @ApiProblems('not_found')
  get(@CurrentTeam() teamId: TeamId, @Param('id') id: string): Promise<ApiKeyDto> {
    return this.keys.get(teamId, id);
  }

  /** Change name, scopes or expiry of a key that is not revoked, by a JSON merge patch. */
  @Patch(':id')
  @RequireScope('admin')
  @ApiKeyId()
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: UpdateApiKeyDto })
  @ApiOkResponse({ type: ApiKeyDto, description: 'The key.' })
  @ApiProblems('not_found', 'forbidden', 'last_admin_key', ...BODY_PROBLEMS)
  update(
    @CurrentTeam() teamId: TeamId,
    @CurrentPrincipal() caller: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<ApiKeyDto> {
    return this.keys.update(teamId, caller, id, body);
  }

  /** Revoke a key: it is refused everywhere within a second. The last admin key of a team cannot be revoked. */
  @Delete(':id')
  @RequireScope('admin')
  @HttpCode(204)
  @ApiKeyId()
  @ApiNoContentResponse({ description: 'Revoked.' })
  @ApiProblems('not_found', 'last_admin_key')
  revoke(@CurrentTeam() teamId: TeamId, @Param('id') id: string): Promise<void> {
    return this.keys.revoke(teamId, id);
  }
}
