import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsEmail, IsOptional, IsString, MaxLength } from 'class-validator';
import { NestedObject } from '../../../../http/body/nested.decorators.js';

/** The types of events that are acted on. Others are ignored. */
export const MAIL_EVENT_TYPES = ['mail.bounced', 'mail.complained'] as const;

/** What a mail provider reports about an address. */
export class MailEventDataDto {
  /**
   * The address that the mail was sent to, at most 254 characters.
   * @example "jo@example.com"
   */
  @IsDefined()
  @IsString()
  @MaxLength(254)
  @IsEmail({}, { message: 'email must be an email address, such as jo@example.com' })
  email: string;

  /**
   * For a bounce: true (default) if the address is permanently undeliverable, false for a temporary failure, such as a full mailbox.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  permanent?: boolean | null;

  /**
   * The reason in words, at most 2,000 characters. Shown to administrators on one line of at most 300, with addresses removed.
   * @example "550 5.1.1 No such user here"
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  @ApiProperty({ type: String, nullable: true, required: false })
  reason?: string | null;
}

/** A report of a bounce or a complaint. Further members are ignored. */
export class MailEventDto {
  /**
   * `mail.bounced`, or `mail.complained` if the recipient reported an email as spam. Other types are ignored.
   * @example "mail.bounced"
   */
  @IsDefined()
  @IsString()
  type: string;

  @IsDefined()
  @NestedObject(() => MailEventDataDto)
  data: MailEventDataDto;
}
