import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Response } from 'express';
import { Public } from '../../http/access.decorators.js';
import { notFound } from '../../http/problem.js';
import { assetOf } from './html/assets.js';

/** What the pages are drawn with. Nothing in it is anybody's, and it needs no database. */
@ApiExcludeController()
@Public()
@Controller('assets')
export class AssetsController {
  @Get(':name')
  asset(@Param('name') name: string, @Res() response: Response): void {
    const asset = assetOf(name);
    if (!asset) throw notFound();
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type(asset.type).send(asset.body);
  }
}
