import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Public } from '../../http/access.decorators.js';
import { ApiPublicProblems } from '../../http/openapi.js';
import { notFound } from '../../http/problem.js';
import { type PublicPageDto } from './dto/public-page.dto.js';
import { icon } from './html/layout.js';
import { PAGE_STYLE } from './html/page-style.js';
import { MARK_WORDS, type Mark } from './html/page-words.js';
import { renderStatusPage } from './html/status-page.view.js';
import { visitorOf } from './page-gate.service.js';
import { PublicPageFilter } from './public-page.filter.js';
import { ApiHtmlPage, ApiPublicPage, ApiSlug } from './public-pages.openapi.js';
import { type PublicPage, PublicPagesService } from './public-pages.service.js';

const ASSETS: Readonly<Record<string, { type: string; body: string }>> = {
  'page.css': { type: 'css', body: PAGE_STYLE },
  ...Object.fromEntries(
    Object.keys(MARK_WORDS).map((mark) => [`${mark}.svg`, { type: 'svg', body: icon(mark as Mark) }]),
  ),
};

/** Status pages as everybody sees them: no key, but the page's password where it has one. */
@ApiTags('Public pages')
@Public()
@Controller('status')
export class PublicPagesController {
  constructor(private readonly pages: PublicPagesService) {}

  /** What the pages are drawn with. Their addresses change with them or never mind, so caches keep them. */
  @Get('_/:name')
  @ApiExcludeEndpoint()
  asset(@Param('name') name: string, @Res() response: Response): void {
    const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    if (!asset) throw notFound();
    response.set('Cache-Control', 'public, max-age=604800, immutable').type(asset.type).send(asset.body);
  }

  /**
   * A published status page as JSON: states and daily figures of its components, and nothing else of their monitors. A
   * page with a password answers 401 unless it comes by HTTP Basic, with any user name; 10 wrong ones of an address in 5
   * minutes make it 429.
   */
  @Get(':slug.json')
  @ApiSlug()
  @ApiPublicPage()
  @ApiPublicProblems('not_found', 'unauthenticated', 'rate_limited', 'database_unavailable')
  async json(
    @Param('slug') slug: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PublicPageDto> {
    const page = await this.pages.visit(slug, visitorOf(request));
    response.set('Cache-Control', cacheControl(page));
    return page.view;
  }

  /** A published status page for people. Errors, too, are pages; access is as for the JSON. */
  @Get(':slug')
  @UseFilters(PublicPageFilter)
  @ApiSlug()
  @ApiHtmlPage()
  async html(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const page = await this.pages.visit(slug, visitorOf(request));
    const policy = withImagesOf(page.view.logoUrl, response.get('Content-Security-Policy'));
    response.set({ 'Cache-Control': cacheControl(page), ...(policy && { 'Content-Security-Policy': policy }) });
    response.type('html').send(renderStatusPage(page));
  }
}

function cacheControl({ isPrivate }: PublicPage): string {
  return isPrivate ? 'private, no-store' : 'public, max-age=10';
}

/** The strict policy of the service, and images of the one origin that the page's logo comes from. */
function withImagesOf(logoUrl: string | null, policy: string | undefined): string | undefined {
  return logoUrl === null
    ? policy
    : policy?.replace(/img-src [^;]*/, (images) => `${images} ${new URL(logoUrl).origin}`);
}
