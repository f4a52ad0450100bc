import { IsDefined, IsEmail, IsString, MaxLength } from 'class-validator';

/** What a visitor of a status page enters. */
export class SubscribeDto {
  /**
   * The address to which updates are sent. In lower case.
   * @example "jo@example.com"
   */
  @IsDefined()
  @IsString()
  @MaxLength(254)
  @IsEmail({}, { message: 'email must be an email address, such as jo@example.com' })
  email: string;
}
