import { Get } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { type PageAnswer, SeeOther } from '../page-answer.js';
import { Pages } from '../pages.decorator.js';
import { API_KEYS_PATH } from './key-form.js';

/** The address of section "Settings", which starts with the API keys. */
@Pages('settings')
export class SettingsController {
  @Get()
  @RequireRole('viewer')
  start(): PageAnswer {
    return new SeeOther(API_KEYS_PATH);
  }
}
