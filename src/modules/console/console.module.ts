import { Module } from '@nestjs/common';
import { ConsoleController } from './console.controller.js';

/** The web application. */
@Module({ controllers: [ConsoleController] })
export class ConsoleModule {}
