import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { assetOf } from '../../html/assets.js';
import { Public } from '../../http/auth/access.decorators.js';
import { sendAsset } from '../../http/send-asset.js';

/** Serves the styles, scripts and icons of pages. They are the same for everybody and do not need the database. */
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
