import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { assetOf } from '../../html/assets.js';
import { Public } from '../../http/auth/access.decorators.js';
import { sendAsset } from '../../http/send-asset.js';

/** What the pages are drawn with. It is the same for everybody, and needs no database. */
@ApiExcludeController()
@Public()
@Controller('assets')
export class AssetsController {
  @Get(':version/:name')
  asset(
    @Param('version') version: string,
    @Param('name') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return sendAsset(assetOf(version, name), request, response);
  }
}
