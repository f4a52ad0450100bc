import { ArrayMaxSize, IsArray, IsObject, IsString } from 'class-validator';
import { MayBeLeftOut, Rule } from '../rule.decorator.js';
import * as rules from './http-fields.rules.js';

/** Decorates a member that contains headers by their names, and may be left out. */
export function Headers(): PropertyDecorator {
  const parts = [
    MayBeLeftOut(),
    IsObject(),
    Rule('invalid_type', rules.headersShape, 'headersShape'),
    Rule('out_of_range', rules.headersCount, 'headersCount'),
    Rule('invalid_value', rules.headerNames, 'headerNames'),
    Rule('invalid_value', rules.headerValues, 'headerValues'),
    Rule('too_long', rules.headerLengths, 'headerLengths'),
  ];
  return (target, property) => parts.forEach((decorate) => decorate(target, property));
}

/** The fields of a type that sends headers. */
export class HeaderFields {
  /** For the documentation: schemas that the types do not express. */
  static readonly schemas: Record<string, object> = {
    secretHeaders: {
      type: 'array',
      maxItems: 50,
      uniqueItems: true,
      items: { type: 'string', pattern: "^[!#$%&'*+\\-.^_`|~0-9A-Za-z]{1,200}$" },
    },
  };

  /**
   * Request headers, at most 50. Responses contain `"********"` for headers whose name suggests a secret or is in
   * `secretHeaders`; sending that string keeps the stored value.
   * @example { "Accept": "application/json" }
   */
  @Headers()
  headers?: Record<string, string>;

  /**
   * Names of further headers whose values are secret: at most 50, compared case-insensitively. Headers whose name
   * suggests a secret, such as `Authorization` or `X-Api-Key`, are always secret. If a name is removed, the value of the
   * header must be sent again.
   * @example ["X-Internal"]
   */
  @MayBeLeftOut()
  @IsArray()
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @Rule('invalid_value', rules.headerName, 'headerName', { each: true })
  @Rule('duplicate', rules.distinctNames, 'distinctNames')
  secretHeaders?: string[];
}
