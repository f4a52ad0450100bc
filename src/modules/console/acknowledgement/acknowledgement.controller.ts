import { Controller, Get, HttpCode, Param, Post, Req, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AppConfig } from '../../../config/app-config.js';
import { Public } from '../../../http/auth/access.decorators.js';
import { Guesses } from '../../../http/auth/guesses.js';
import { assertOwnForm } from '../../../http/auth/own-form.js';
import { MessageAcknowledgements, type MessageLink } from '../../notifications/message-acknowledgements.service.js';
import { AuthorNames } from '../author-names.service.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { PageFilter } from '../page.filter.js';
import { PageInterceptor } from '../page.interceptor.js';
import { renderAcknowledgement, renderUnknownLink } from './acknowledgement.view.js';

/** The address is a credential: it must neither be passed on nor be found. */
const HEADERS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' } as const;

/**
 * The page that the links in messages open. It is public, because whoever is paged may not be signed in. Opening it
 * changes nothing, because chats and mail filters open links as well; only its button acknowledges.
 */
@Controller('ack/:token')
@ApiExcludeController()
@Public()
@UseFilters(PageFilter)
@UseInterceptors(PageInterceptor)
export class AcknowledgementController {
  private readonly guesses = new Guesses('links');

  constructor(
    private readonly acknowledgements: MessageAcknowledgements,
    private readonly authors: AuthorNames,
    private readonly config: AppConfig,
  ) {}

  @Get()
  async show(
    @Frame() frame: PageFrame,
    @Req() request: PageRequest,
    @Param('token') token: string,
  ): Promise<PageAnswer> {
    const link = await this.find(request, token);
    if (!link) return new Html(renderUnknownLink(frame), 404, HEADERS);
    const people = await this.authors.of(
      link.teamId,
      link.incidents.map(({ acknowledgedBy }) => acknowledgedBy),
    );
    return new Html(renderAcknowledgement(frame, { token, link, people }), 200, HEADERS);
  }

  @Post()
  @HttpCode(200)
  async acknowledge(
    @Frame() frame: PageFrame,
    @Req() request: PageRequest,
    @Param('token') token: string,
  ): Promise<PageAnswer> {
    const link = await this.find(request, token);
    if (!link) return new Html(renderUnknownLink(frame), 404, HEADERS);
    assertOwnForm(request, this.config.origin);
    await this.acknowledgements.acknowledge(link);
    return new SeeOther(`/ack/${token}`, HEADERS);
  }

  /** @throws 429 after too many links that do not exist */
  private async find({ ip = '' }: PageRequest, token: string): Promise<MessageLink | null> {
    let link: MessageLink | null = null;
    await this.guesses.guess(ip, async () => (link = await this.acknowledgements.look(token)) !== null);
    return link;
  }
}
