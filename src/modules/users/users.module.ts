import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PasswordsService } from './passwords.service.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

/** People and their passwords. */
@Module({
  imports: [TypeOrmModule.forFeature([User])],
  providers: [PasswordsService, UsersService],
  exports: [UsersService],
})
export class UsersModule {}
