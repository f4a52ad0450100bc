import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { AppConfig } from '../../../config/app-config.js';
import { Public, TakesForm } from '../../../http/auth/access.decorators.js';
import { assertOwnForm } from '../../../http/auth/own-form.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { type EdgeRequest } from '../../../http/edge-request.js';
import { ProblemException, validationFailed } from '../../../http/problems/problem.js';
import { SubscriberMail } from '../../mail/subscriber-mail.service.js';
import { PageAddress } from '../page-address.js';
import { visitorOf } from '../page-gate.service.js';
import { type EnteredPage, PublicPagesService } from '../public-pages.service.js';
import { SubscriptionFilter } from './subscription.filter.js';
import { renderRequested, renderSubscribe } from './subscription.view.js';
import { Subscriptions } from './subscriptions.service.js';

type Visit = Request & EdgeRequest;

/** The form of a status page with which visitors subscribe. */
@ApiExcludeController()
@Public()
@Controller('status/:slug/subscriptions')
@UseFilters(SubscriptionFilter)
export class SubscriptionRequestsController {
  constructor(
    private readonly pages: PublicPagesService,
    private readonly subscriptions: Subscriptions,
    private readonly mail: SubscriberMail,
    private readonly config: AppConfig,
  ) {}

  @Get()
  async form(@Param('slug') slug: string, @Req() request: Visit, @Res() response: Response): Promise<void> {
    const entered = await this.enter(slug, request);
    const address = this.addressOf(entered, request);
    const isDone = request.query.done === 'requested';
    send(response, isDone ? renderRequested(entered.page, address) : renderSubscribe(entered.page, address));
  }

  /**
   * Requests updates of a published status page by email or to a webhook, as its form does. The address is sent a link to
   * confirm, and nothing else until it is used; nothing is sent to a webhook before that. The response is the same whether
   * or not the address is already subscribed. Access is the same as for the page.
   */
  @Post()
  @TakesForm()
  async request(
    @Param('slug') slug: string,
    @Form() form: FormFields,
    @Req() request: Visit,
    @Res() response: Response,
  ): Promise<void> {
    const entered = await this.enter(slug, request);
    const address = this.addressOf(entered, request);
    assertOwnForm(request, this.config.origin);
    const given = { email: form.text('email'), webhook: form.text('webhook') };
    try {
      this.subscriptions.request(entered.page, given, request.ip ?? '');
    } catch (error) {
      const fault = error instanceof ProblemException ? error.errors?.[0] : undefined;
      if (fault === undefined || !takesHtml(request)) throw error;
      return send(response, renderSubscribe(entered.page, address, { ...given, fault }), 422);
    }
    response.set('Cache-Control', 'no-store').redirect(303, `${address.subscriptions}?done=requested`);
  }

  /** @throws 404, 401 and 429 as the page; 422 `mail_not_configured` */
  private async enter(slug: string, request: Visit): Promise<EnteredPage> {
    const entered = await this.pages.enter(slug, visitorOf(request));
    if (this.mail.canSend) return entered;
    const detail = 'The operator of this service has not configured a mail server, so there are no email updates.';
    throw validationFailed([{ pointer: '/email', code: 'mail_not_configured', detail }]);
  }

  private addressOf({ page }: EnteredPage, { ownDomain }: Visit): PageAddress {
    const { origin } = this.config;
    return ownDomain === undefined ? PageAddress.ofSlug(origin, page.slug) : PageAddress.ofDomain(ownDomain, origin);
  }
}

function takesHtml({ headers }: Visit): boolean {
  return headers.accept?.includes('text/html') ?? false;
}

function send(response: Response, html: string, status = 200): void {
  response.status(status).set('Cache-Control', 'no-store').type('html').send(html);
}
