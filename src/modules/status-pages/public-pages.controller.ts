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

/** Public status pages. They require no API key, but the password of the page if it has one. */
@ApiTags('Public pages')
@Public()
@Controller('status')
export class PublicPagesController {
  constructor(private readonly pages: PublicPagesService) {}

  /** Serves the assets of pages. Under the same path as the pages, because a proxy may expose nothing else. */
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
   * Gets a published status page as JSON. It contains states and daily figures of the components, but no other data of
   * their monitors. Writes are visible immediately; figures are at most some seconds old, as `computedAt` shows. While
   * the database is unavailable, the latest known data is returned. A password-protected page returns 401 unless the
   * request contains the password by HTTP Basic authentication with any user name, and 429 after 10 wrong passwords
   * from an address in 5 minutes. Scripts of other sites can read pages without a password.
   */
  @Get(':slug.json')
  @ApiSlug()
  @ApiPublicPage()
  @ApiPublicProblems('not_found', 'unauthenticated', 'rate_limited', 'database_unavailable')
  async json(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await sendPage('json', await this.pages.visit(slug, visitorOf(request)), request, response);
  }

  /**
   * Gets the incidents and maintenance of a published status page as an Atom feed (RFC 4287). It contains an entry for
   * each incident that the page shows, with its updates, and for each period of maintenance. Access is the same as for
   * the JSON.
   */
  @Get(':slug/feed.atom')
  @ApiSlug()
  @ApiFeed()
  @ApiPublicProblems('not_found', 'unauthenticated', 'rate_limited', 'database_unavailable')
  async feed(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await sendPage('feed', await this.pages.visit(slug, visitorOf(request)), request, response);
  }

  /** Gets a published status page as HTML. Errors are HTML as well. Access is the same as for the JSON. */
  @Get(':slug')
  @UseFilters(PublicPageFilter)
  @ApiSlug()
  @ApiHtmlPage()
  async html(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await sendPage('html', await this.pages.visit(slug, visitorOf(request)), request, response);
  }
}
