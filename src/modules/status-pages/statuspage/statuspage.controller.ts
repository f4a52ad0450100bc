import { applyDecorators, Controller, Get, Param, Req, Res, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Public } from '../../../http/auth/access.decorators.js';
import { ApiPublicProblems } from '../../../http/openapi/openapi.js';
import { sendPage } from '../page-answer.js';
import { type PageForm } from '../page-form.js';
import { visitorOf } from '../page-gate.service.js';
import { ApiJsonForm, ApiSlug } from '../public-pages.openapi.js';
import { PublicPagesService } from '../public-pages.service.js';
import { StatuspageForms } from './statuspage-forms.service.js';
import {
  StatuspageComponentsDto,
  StatuspageIncidentsDto,
  StatuspageMaintenancesDto,
  StatuspageOverallDto,
  StatuspageSummaryDto,
} from './statuspage-files.dto.js';

const ApiForm = (type: Type) =>
  applyDecorators(
    ApiSlug(),
    ApiJsonForm(type),
    ApiPublicProblems('not_found', 'unauthenticated', 'rate_limited', 'database_unavailable'),
  );

/**
 * Published status pages in the format of Atlassian Statuspage, so that its readers work with them. Access, caching and
 * headers are those of the JSON of the page.
 */
@ApiTags('Public pages')
@Public()
@Controller('status/:slug/api/v2')
export class StatuspageController {
  constructor(
    private readonly pages: PublicPagesService,
    private readonly forms: StatuspageForms,
  ) {}

  /** Gets a published status page in the format of Statuspage: its overall state, components, and current events. */
  @Get('summary.json')
  @ApiForm(StatuspageSummaryDto)
  summary(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(this.forms.summary, slug, request, response);
  }

  /** Gets the overall state of a published status page in the format of Statuspage. */
  @Get('status.json')
  @ApiForm(StatuspageOverallDto)
  status(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(this.forms.status, slug, request, response);
  }

  /** Gets the components of a published status page in the format of Statuspage, each group before its components. */
  @Get('components.json')
  @ApiForm(StatuspageComponentsDto)
  components(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(this.forms.components, slug, request, response);
  }

  /**
   * Gets the 50 most recent incidents of a published status page in the format of Statuspage. Open incidents take
   * precedence over more recent resolved ones. While the database is unavailable, only those of the past 14 days.
   */
  @Get('incidents.json')
  @ApiForm(StatuspageIncidentsDto)
  incidents(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(this.forms.incidents, slug, request, response);
  }

  /** Gets the open incidents of a published status page in the format of Statuspage. */
  @Get('incidents/unresolved.json')
  @ApiForm(StatuspageIncidentsDto)
  unresolved(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(this.forms.unresolved, slug, request, response);
  }

  /**
   * Gets the maintenance of a published status page in the format of Statuspage. At most 50 periods: those in progress,
   * those that begin within 7 days, then completed ones, which are missing while the database is unavailable.
   */
  @Get('scheduled-maintenances.json')
  @ApiForm(StatuspageMaintenancesDto)
  maintenances(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(this.forms.maintenances, slug, request, response);
  }

  /** Gets the maintenance of a published status page that begins within 7 days, in the format of Statuspage. */
  @Get('scheduled-maintenances/upcoming.json')
  @ApiForm(StatuspageMaintenancesDto)
  upcoming(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(this.forms.upcoming, slug, request, response);
  }

  /** Gets the maintenance of a published status page that is in progress, in the format of Statuspage. */
  @Get('scheduled-maintenances/active.json')
  @ApiForm(StatuspageMaintenancesDto)
  active(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(this.forms.active, slug, request, response);
  }

  private async send(form: PageForm, slug: string, request: Request, response: Response): Promise<void> {
    await sendPage(form, await this.pages.visit(slug, visitorOf(request)), request, response);
  }
}
