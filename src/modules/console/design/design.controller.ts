import { Get } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { notFound } from '../../../http/problems/problem.js';
import { Html, type PageAnswer } from '../page-answer.js';
import { Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { renderDesign } from './design.view.js';

/** Shows the design tokens and all components, for people who build pages. */
@Pages('design', { signedIn: false })
export class DesignPageController {
  constructor(private readonly config: AppConfig) {}

  @Get()
  show(@Frame() frame: PageFrame): PageAnswer {
    if (!this.config.get('DESIGN_PAGE')) throw notFound();
    return new Html(renderDesign(frame));
  }
}
