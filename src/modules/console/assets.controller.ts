import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Public } from '../../http/access.decorators.js';
import { codingFor } from '../../http/content-coding.js';
import { notFound } from '../../http/problem.js';
import { assetOf, bytesOf } from './html/assets.js';

/** What the pages are drawn with. Nothing in it is anybody's, and it needs no database. */
@ApiExcludeController()
@Public()
@Controller('assets')
export class AssetsController {
  @Get(':name')
  async asset(@Param('name') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const asset = assetOf(name);
    if (!asset) throw notFound();
    const coding = codingFor(request);
    const bytes = await bytesOf(asset, coding);
    if (coding !== 'identity') response.set('Content-Encoding', coding);
    response.vary('Accept-Encoding').type(asset.type);
    response.set('Cache-Control', 'public, max-age=31536000, immutable').send(bytes);
  }
}
