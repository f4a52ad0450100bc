import { IsDefined, IsEmail, IsIn, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { type Role, ROLES } from '../../../domain/role.js';
import { SingleLine } from '../../../http/body/single-line.decorator.js';

/** The name of a team. */
export class TeamNameDto {
  @IsDefined()
  @IsString()
  @Length(1, 200, { message: 'name must have 1 to 200 characters', context: { code: 'invalid_value' } })
  @SingleLine()
  name: string;
}

/** The role of a member. */
export class MemberRoleDto {
  @IsDefined()
  @IsIn(ROLES, { message: `role must be one of ${ROLES.join(', ')}` })
  role: Role;
}

/** The role that an invitation offers, and who it is for. */
export class NewInvitationDto extends MemberRoleDto {
  @IsOptional()
  @IsString()
  @MaxLength(254)
  email?: string | null;
}

/** An invitation that is mailed if it has an address. */
export class MailedInvitationDto extends NewInvitationDto {
  @IsOptional()
  @IsEmail({}, { message: 'email must be an email address, such as jo@example.com' })
  declare email?: string | null;
}
