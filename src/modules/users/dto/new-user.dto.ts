import { PickType } from '@nestjs/swagger';
import { IsDefined, IsEmail, IsString, Length, MaxLength } from 'class-validator';
import { SingleLine } from '../../../http/body/single-line.decorator.js';

export const MAX_PASSWORD_LENGTH = 200;
const MIN_PASSWORD_LENGTH = 12;

/** A new password; `passwordFaults` checks the remaining requirements. */
export class NewPasswordDto {
  @IsDefined()
  @IsString()
  @Length(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH, {
    message: `password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`,
    context: { code: 'invalid_value' },
  })
  password: string;
}

/** The details of a new person. */
export class NewUserDto extends NewPasswordDto {
  @IsDefined()
  @IsString()
  @Length(1, 200, { message: 'name must have 1 to 200 characters', context: { code: 'invalid_value' } })
  @SingleLine()
  name: string;

  @IsDefined()
  @IsString()
  @MaxLength(254)
  @IsEmail({}, { message: 'email must be an email address, such as jo@example.com' })
  email: string;
}

/** The name of a person. */
export class UserNameDto extends PickType(NewUserDto, ['name']) {}

/** The email of a person. */
export class EmailDto extends PickType(NewUserDto, ['email']) {}
