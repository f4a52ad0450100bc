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

/** Stricter than the policy of the service, because badges contain texts of users and can be opened as documents. */
const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

type BadgeRequest = Request<{ slug: string; componentId: string }>;

/** Badges: images of components of status pages, for embedding. */
@ApiTags('Public pages')
@Public()
@Controller('badges/:slug/:componentId')
export class BadgesController {
  constructor(private readonly badges: BadgesService) {}

  /**
   * Gets the status badge of a component. It shows the state in the words of the page, preceded by the symbol of the
   * state. A badge of a password-protected page requires the password, like the page itself. On the `customDomain` of
   * the page, the path of each badge has no slug: `/badges/{componentId}/status.svg`.
   */
  @Get('status.svg')
  @ApiBadge(statusBadge('Checkout', 'up'))
  async status(@Req() request: BadgeRequest, @Res() response: Response): Promise<void> {
    send(await this.badges.status(subjectOf(request)), request, response);
  }

  /**
   * Gets the uptime badge of a component. It shows the uptime in percent over the `historyDays` of the page, truncated
   * to 3 decimals, or "no data" if nothing was monitored. It is green from 99.9%, amber from 99%, otherwise red.
   * Returns 404 if the page does not show the uptime.
   */
  @Get('uptime.svg')
  @ApiBadge(uptimeBadge('Checkout', { uptimePercent: 99.982, observedSeconds: 7_724_160 }))
  async uptime(@Req() request: BadgeRequest, @Res() response: Response): Promise<void> {
    send(await this.badges.uptime(subjectOf(request)), request, response);
  }

  /**
   * Gets the response time badge of a component. It shows the mean response time in milliseconds of passing scheduled
   * checks of the current UTC day, or of the previous day until the current day has checks; "no data" if there are
   * none. Returns 404 if the page does not show the uptime.
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
    // Express would not answer 304 to a request that also sends `Cache-Control: no-cache`.
    if (namesTag(request.headers['if-none-match'] ?? '', etag)) {
      response.status(304).end();
      return;
    }
  }
  response.type('svg').send(svg);
}
