import { Get, HttpCode, Param, Post, Req, Res, UseFilters, Controller } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { AppConfig } from '../../../config/app-config.js';
import { Public, TakesForm } from '../../../http/auth/access.decorators.js';
import { assertOwnForm } from '../../../http/auth/own-form.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { type EdgeRequest } from '../../../http/edge-request.js';
import { PageAddress } from '../page-address.js';
import { PublicPageFilter } from '../public-page.filter.js';
import { choiceOf } from './subscription-form.js';
import {
  type Done,
  renderLeft,
  renderPreferences,
  renderUnknownSubscription,
  renderUnsubscribe,
} from './subscription.view.js';
import { SUBSCRIPTIONS_PATH } from './subscriber-links.js';
import { type Subscription, Subscriptions } from './subscriptions.service.js';

type Visit = Request & EdgeRequest;

/**
 * The pages that the links in mails to subscribers open, without signing in. A GET changes nothing, because mail filters
 * open links as well. Wrong links are not limited: nobody can guess a signature, checking one costs no query, and the
 * requests of a large mail provider come from few addresses.
 */
@Controller(`${SUBSCRIPTIONS_PATH.slice(1)}/:token`)
@ApiExcludeController()
@Public()
@UseFilters(PublicPageFilter)
export class SubscriptionsController {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly config: AppConfig,
  ) {}

  @Get('preferences')
  async show(@Param('token') token: string, @Req() request: Visit, @Res() response: Response): Promise<void> {
    const subscription = await this.subscriptions.find(token);
    if (!subscription) return send(response, renderUnknownSubscription(), 404);
    const { done } = request.query;
    send(response, this.preferences(token, subscription, done === 'saved' || done === 'confirmed' ? done : null, null));
  }

  @Post('preferences')
  @TakesForm()
  async choose(
    @Param('token') token: string,
    @Form() form: FormFields,
    @Req() request: Visit,
    @Res() response: Response,
  ): Promise<void> {
    const subscription = await this.subscriptions.find(token);
    if (!subscription) return send(response, renderUnknownSubscription(), 404);
    assertOwnForm(request, this.config.origin);
    const choice = choiceOf(form, subscription.components);
    if (choice === 'nothing') {
      const fault = 'Select at least one component.';
      return send(response, this.preferences(token, subscription, null, fault), 422);
    }
    await this.subscriptions.choose(subscription, choice.componentIds);
    const done = subscription.subscriber.status === 'pending' ? 'confirmed' : 'saved';
    response.set(HEADERS).redirect(303, `${SUBSCRIPTIONS_PATH}/${token}/preferences?done=${done}`);
  }

  @Get('unsubscribe')
  async ask(@Param('token') token: string, @Res() response: Response): Promise<void> {
    const subscription = await this.subscriptions.find(token);
    if (!subscription) return send(response, renderUnknownSubscription(), 404);
    send(response, renderUnsubscribe({ subscription, paths: pathsOf(token), home: this.homeOf(subscription) }));
  }

  /** Accepts the form of the page, and the request of a mail program (RFC 8058), which comes from anywhere. */
  @Post('unsubscribe')
  @HttpCode(200)
  async leave(@Param('token') token: string, @Res() response: Response): Promise<void> {
    const subscription = await this.subscriptions.find(token);
    if (!subscription) return send(response, renderUnknownSubscription(), 404);
    await this.subscriptions.leave(subscription);
    send(response, renderLeft(subscription.page));
  }

  private preferences(token: string, subscription: Subscription, done: Done, fault: string | null): string {
    return renderPreferences({ subscription, paths: pathsOf(token), home: this.homeOf(subscription), done, fault });
  }

  private homeOf({ page }: Subscription): string {
    return PageAddress.ofSlug(this.config.origin, page.slug).home;
  }
}

/** The address is a credential: it must neither be passed on nor be found. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};

function pathsOf(token: string): { preferences: string; unsubscribe: string } {
  const base = `${SUBSCRIPTIONS_PATH}/${token}`;
  return { preferences: `${base}/preferences`, unsubscribe: `${base}/unsubscribe` };
}

function send(response: Response, html: string, status = 200): void {
  response.status(status).set(HEADERS).type('html').send(html);
}
