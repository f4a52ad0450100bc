import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Public } from '../../http/auth/access.decorators.js';
import { ApiPublicProblems } from '../../http/openapi/openapi.js';
import { assetOf } from '../../html/assets.js';
import { sendAsset } from '../../http/send-asset.js';
import { accentAsset } from './html/accent-style.js';
import { visitorOf } from './page-gate.service.js';
import { PublicPageFilter } from './public-page.filter.js';
import { CalendarForm } from './calendar/calendar-form.service.js';
import { HistoryForms } from './history-forms.service.js';
import { IncidentForms } from './incident-forms.service.js';
import { sendPage } from './page-answer.js';
import { FEED, HTML, JSON_VIEW } from './page-forms.js';
import { ApiCalendar, ApiFeed, ApiHtmlPage, ApiPublicPage, ApiSlug } from './public-pages.openapi.js';
import { PublicPagesService } from './public-pages.service.js';

/** Public status pages. They require no API key, but the password of the page if it has one. */
@ApiTags('Public pages')
@Public()
@Controller('status')
export class PublicPagesController {
  constructor(
    private readonly pages: PublicPagesService,
    private readonly incidents: IncidentForms,
    private readonly history: HistoryForms,
    private readonly calendar: CalendarForm,
  ) {}

  /**
   * Gets a published status page as JSON. It contains states and daily figures of the components, but no other data of
   * their monitors. Writes are visible immediately; figures are at most a few seconds old (see `computedAt`). While
   * the database is unavailable, the latest known data is returned. A password-protected page returns 401 unless the
   * request contains the password with HTTP Basic authentication and any username, and 429 after 10 wrong passwords
   * from an address in 5 minutes. Pages without a password allow cross-origin requests.
   */
  @Get(':slug.json')
  @ApiSlug()
  @ApiPublicPage()
  @ApiPublicProblems('not_found', 'unauthenticated', 'rate_limited', 'database_unavailable')
  async json(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await sendPage(JSON_VIEW, await this.pages.visit(slug, visitorOf(request)), request, response);
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
    await sendPage(FEED, await this.pages.visit(slug, visitorOf(request)), request, response);
  }

  /**
   * Gets the maintenance of a published status page as an iCalendar file (RFC 5545). Calendars can subscribe to it. It
   * contains the periods of the past 30 days and the next 90 days, at most 50 per window. Cancelled periods are
   * omitted. Access is the same as for the JSON.
   */
  @Get(':slug/maintenance.ics')
  @ApiSlug()
  @ApiCalendar()
  @ApiPublicProblems('not_found', 'unauthenticated', 'rate_limited', 'database_unavailable')
  async ics(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await sendPage(this.calendar.form, await this.pages.visit(slug, visitorOf(request)), request, response);
  }

  /** Gets a published status page as HTML. Errors are returned as HTML, too. Access is the same as for the JSON. */
  @Get(':slug')
  @UseFilters(PublicPageFilter)
  @ApiSlug()
  @ApiHtmlPage()
  async html(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await sendPage(HTML, await this.pages.visit(slug, visitorOf(request)), request, response);
  }

  /**
   * Gets an incident of a published status page as HTML, with all of its public updates. It stays available after it is
   * resolved, as long as it affects a component of the page. Access is the same as for the page.
   */
  @Get(':slug/incidents/:id')
  @UseFilters(PublicPageFilter)
  @ApiSlug()
  @ApiParam({
    name: 'id',
    description: 'The id of an incident.',
    schema: { type: 'string', format: 'uuid', example: '0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01' },
  })
  @ApiHtmlPage()
  async incident(
    @Param('slug') slug: string,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await sendPage(this.incidents.form(id), await this.pages.visit(slug, visitorOf(request)), request, response);
  }

  /**
   * Gets the incidents and completed maintenance of a month as HTML, at most 100 of each. Months begin and end in the
   * time zone of the page. Access is the same as for the page.
   */
  @Get(':slug/history')
  @UseFilters(PublicPageFilter)
  @ApiSlug()
  @ApiQuery({
    name: 'month',
    required: false,
    description: 'The month, by default the current one. A month without any history returns 404.',
    schema: { type: 'string', pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$', examples: ['2026-01'] },
  })
  @ApiHtmlPage()
  async month(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const form = this.history.form(request.query.month);
    await sendPage(form, await this.pages.visit(slug, visitorOf(request)), request, response);
  }

  /**
   * Serves the assets of pages. Under the same path as the pages, because a proxy may expose nothing else. It is the
   * last route, because its path also matches those of pages, such as `_/incidents/x`.
   */
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
}
