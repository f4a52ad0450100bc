import { Controller, Get, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../http/access.decorators.js';

/** The web application. Until it has pages of its own, its address leads to the explorer. */
@ApiExcludeController()
@Public()
@Controller()
export class ConsoleController {
  @Get()
  @Redirect('/docs', 302)
  home(): void {}
}
