import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Public } from '../../http/auth/access.decorators.js';
import { ApiPublicProblems } from '../../http/openapi/openapi.js';
import { assetOf } from '../../html/assets.js';
import { sendAsset } from '../../http/send-asset.js';
import { accentAsset } from './html/accent-style.js';
import { visitorOf } from './page-gate.service.js';
import { PublicPageFilter } from './public-page.filter.js';
import { sendPage } from './page-answer.js';
import { ApiFeed, ApiHtmlPage, ApiPublicPage, ApiSlug } from './public-pages.openapi.js';
import { PublicPagesService } from './public-pages.service.js';

/** Status pages as everybody sees them: no key, but the page's password where it has one. */
@ApiTags('Public pages')
@Public()
@Controller('status')
export class PublicPagesController {
  constructor(private readonly pages: PublicPagesService) {}

  /** What pages are drawn with: below the addresses of the pages, which may be all that a proxy shows the public. */
  @Get('_/:version/:name')
  @ApiExcludeEndpoint()
  asset(
    @Param('version') version: string,
    @Param('name') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return sendAsset(accentAsset(name) ?? assetOf(version, name), request, response);
  }

  /**
   * A published status page as JSON: states and daily figures of its components, and nothing else of their monitors. All
   * that was written is shown at once; figures are some seconds old at most, as `computedAt` tells. While the database is
   * away this is the last that is known. A page with a password answers 401 unless it comes by HTTP Basic, with any user
   * name; 10 wrong ones of an address in 5 minutes make it 429. Scripts of other sites may read a page without one.
   */
  @Get(':slug.json')
  @ApiSlug()
  @ApiPublicPage()
  @ApiPublicProblems('not_found', 'unauthenticated', 'rate_limited', 'database_unavailable')
  async json(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await sendPage('json', await this.pages.visit(slug, visitorOf(request)), request, response);
  }

  /**
   * The incidents and the maintenance of a published status page as an Atom feed (RFC 4287). An entry for each incident,
   * with what was told about it, and for each stretch of maintenance: those that the page shows. Access is as for the
   * JSON.
   */
  @Get(':slug/feed.atom')
  @ApiSlug()
  @ApiFeed()
  @ApiPublicProblems('not_found', 'unauthenticated', 'rate_limited', 'database_unavailable')
  async feed(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await sendPage('feed', await this.pages.visit(slug, visitorOf(request)), request, response);
  }

  /** A published status page for people. Errors, too, are pages; access is as for the JSON. */
  @Get(':slug')
  @UseFilters(PublicPageFilter)
  @ApiSlug()
  @ApiHtmlPage()
  async html(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await sendPage('html', await this.pages.visit(slug, visitorOf(request)), request, response);
  }
}
