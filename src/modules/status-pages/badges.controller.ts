import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { createHash } from 'node:crypto';
import { Public } from '../../http/auth/access.decorators.js';
import { namesTag } from '../../http/items/entity-tags.js';
import { responseTimeBadge, statusBadge, uptimeBadge } from './badge.js';
import { ApiBadge } from './badges.openapi.js';
import { BadgesService, type BadgeSubject, type ShownBadge } from './badges.service.js';
import { FOR_EVERY_SITE } from './page-answer.js';
import { renderBadge } from './html/badge.view.js';
import { visitorOf } from './page-gate.service.js';

/** Not even what the service itself would serve: a badge is opened by people, too, and holds others' texts. */
const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

type BadgeRequest = Request<{ slug: string; componentId: string }>;

/** Components of status pages as images to embed. */
@ApiTags('Public pages')
@Public()
@Controller('badges/:slug/:componentId')
export class BadgesController {
  constructor(private readonly badges: BadgesService) {}

  /**
   * Draws the state of a component. The words are those of the page, before them the shape of the state. Badges of a page
   * with a password ask for it like the page.
   */
  @Get('status.svg')
  @ApiBadge(statusBadge('Checkout', 'up'))
  async status(@Req() request: BadgeRequest, @Res() response: Response): Promise<void> {
    send(await this.badges.status(subjectOf(request)), request, response);
  }

  /**
   * Draws the uptime of a component. In percent over the page's `historyDays`, cut to 3 decimals; "no data" where nothing
   * was monitored. Green from 99.9 % on, amber from 99 % on, else red. 404 where the page does not show it.
   */
  @Get('uptime.svg')
  @ApiBadge(uptimeBadge('Checkout', { uptimePercent: 99.982, observedSeconds: 7_724_160 }))
  async uptime(@Req() request: BadgeRequest, @Res() response: Response): Promise<void> {
    send(await this.badges.uptime(subjectOf(request)), request, response);
  }

  /**
   * Draws the mean response time of a component. In milliseconds, of the passing checks at their slots on the present UTC
   * day, or on the day before while this one has no checks yet; "no data" where there are none. 404 where the page does
   * not show the uptime either.
   */
  @Get('response-time.svg')
  @ApiBadge(responseTimeBadge('Checkout', 84.3))
  async responseTime(@Req() request: BadgeRequest, @Res() response: Response): Promise<void> {
    send(await this.badges.responseTime(subjectOf(request)), request, response);
  }
}

function subjectOf(request: BadgeRequest): BadgeSubject {
  return { ...request.params, label: request.query.label, visitor: visitorOf(request) };
}

function send({ badge, isPrivate }: ShownBadge, request: BadgeRequest, response: Response): void {
  const svg = renderBadge(badge);
  response.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'private, no-store' });
  if (!isPrivate) {
    const etag = `"${createHash('sha1').update(svg).digest('base64url')}"`;
    response.set({ 'Cache-Control': 'public, max-age=60', ETag: etag, ...FOR_EVERY_SITE });
    // Express would answer so only to who does not send `Cache-Control: no-cache` too.
    if (namesTag(request.headers['if-none-match'] ?? '', etag)) {
      response.status(304).end();
      return;
    }
  }
  response.type('svg').send(svg);
}
