import { Controller, Get, Req, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Session } from '../../../http/auth/access.decorators.js';
import { notFound } from '../../../http/problems/problem.js';
import { ListStatusPagesDto } from '../../status-pages/dto/list-status-pages.dto.js';
import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import { listQuery } from '../list-query.js';
import { Html, type PageAnswer } from '../page-answer.js';
import { Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { PageInterceptor } from '../page.interceptor.js';
import { renderPublishedPages } from './pages.view.js';

/**
 * `/status`, above the addresses of public pages: lists the published pages for members of the team. Visitors receive the
 * same 404 as for any unknown path, so that the addresses of pages stay known only to those who have them.
 */
@Controller('status')
@ApiExcludeController()
@Session({ signedIn: false })
@UseInterceptors(PageInterceptor)
export class PublishedPagesController {
  constructor(private readonly pages: StatusPagesService) {}

  @Get()
  async list(@Frame() frame: PageFrame, @Req() { query }: PageRequest): Promise<PageAnswer> {
    if (!frame.who) throw notFound();
    const published = { ...listQuery(ListStatusPagesDto, query, ['cursor']), published: true };
    const { data, nextCursor } = await this.pages.list(frame.who.teamId, published);
    return new Html(renderPublishedPages(frame, { pages: data as StatusPageDto[], nextCursor }));
  }
}
