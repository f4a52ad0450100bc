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
import { choiceOf, type FormFault } from './subscription-form.js';
import {
  type Done,
  renderLeft,
  renderPreferences,
  renderUnknownSubscription,
  renderUnsubscribe,
} from './subscription.view.js';
import { pathsOf, SUBSCRIPTIONS_PATH } from './subscriber-links.js';
import { type Subscription, Subscriptions } from './subscriptions.service.js';
import { SubscriberWebhooks } from './webhooks/subscriber-webhooks.service.js';

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
    private readonly webhooks: SubscriberWebhooks,
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
    const { page, subscriber } = subscription;
    if (!page.published) return send(response, this.preferences(token, subscription, null, null), 404);
    const isNew = subscriber.status === 'pending';
    const webhook = form.text('webhook');
    const choice = choiceOf(form, subscription.components);
    const fault = choice === 'nothing' ? NO_COMPONENT : isNew ? this.faultOf(webhook) : null;
    if (choice === 'nothing' || fault) {
      const shown = fault && { ...fault, webhook };
      return send(response, this.preferences(token, subscription, null, shown), 422);
    }
    await this.subscriptions.choose(subscription, choice.componentIds);
    if (isNew) await this.webhooks.replace(page, subscriber, this.webhooks.entered(webhook), request.ip ?? '');
    response.set(HEADERS).redirect(303, `${pathsOf(token).preferences}?done=${isNew ? 'confirmed' : 'saved'}`);
  }

  /** Adds a webhook, or replaces it by another address. */
  @Post('webhook')
  @TakesForm()
  async setWebhook(
    @Param('token') token: string,
    @Form() form: FormFields,
    @Req() request: Visit,
    @Res() response: Response,
  ): Promise<void> {
    await this.changeWebhook(token, request, response, async (subscription) => {
      const webhook = form.text('webhook');
      const fault = this.faultOf(webhook) ?? (webhook.trim() === '' ? NO_WEBHOOK : null);
      if (fault) return { ...fault, webhook };
      const { page, subscriber } = subscription;
      await this.webhooks.replace(page, subscriber, this.webhooks.entered(webhook), request.ip ?? '');
      return null;
    });
  }

  /** Asks the webhook again whether it wants to be posted to. */
  @Post('webhook/challenge')
  @TakesForm()
  async challenge(@Param('token') token: string, @Req() request: Visit, @Res() response: Response): Promise<void> {
    await this.changeWebhook(token, request, response, async ({ page, subscriber }) => {
      await this.webhooks.challenge(page, subscriber, request.ip ?? '');
      return null;
    });
  }

  @Post('webhook/remove')
  @TakesForm()
  async removeWebhook(@Param('token') token: string, @Req() request: Visit, @Res() response: Response): Promise<void> {
    await this.changeWebhook(token, request, response, async ({ subscriber }) => {
      await this.webhooks.remove(subscriber);
      return null;
    });
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

  /** Carries out a form about the webhook of somebody who has confirmed their address. */
  private async changeWebhook(
    token: string,
    request: Visit,
    response: Response,
    change: (subscription: Subscription) => Promise<FormFault | null>,
  ): Promise<void> {
    const subscription = await this.subscriptions.find(token);
    if (subscription?.subscriber.status !== 'active') return send(response, renderUnknownSubscription(), 404);
    assertOwnForm(request, this.config.origin);
    if (!subscription.page.published) return send(response, this.preferences(token, subscription, null, null), 404);
    const fault = await change(subscription);
    if (fault) return send(response, this.preferences(token, subscription, null, fault), 422);
    response.set(HEADERS).redirect(303, pathsOf(token).preferences);
  }

  private faultOf(webhook: string): FormFault | null {
    const text = this.webhooks.faultOf(webhook);
    return text === null ? null : { field: 'webhook', text };
  }

  private preferences(token: string, subscription: Subscription, done: Done, fault: FormFault | null): string {
    return renderPreferences({ subscription, paths: pathsOf(token), home: this.homeOf(subscription), done, fault });
  }

  private homeOf({ page }: Subscription): string {
    return PageAddress.ofSlug(this.config.origin, page.slug).home;
  }
}

const NO_COMPONENT: FormFault = { field: 'components', text: 'Select at least one component.' };
const NO_WEBHOOK: FormFault = { field: 'webhook', text: 'Enter the webhook URL.' };

/** The address is a credential: it must neither be passed on nor be found. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};

function send(response: Response, html: string, status = 200): void {
  response.status(status).set(HEADERS).type('html').send(html);
}
