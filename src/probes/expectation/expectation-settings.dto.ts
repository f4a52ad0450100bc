import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { patternFault } from '../pattern.rules.js';
import { MayBeLeftOut, Rule } from '../rule.decorator.js';

export const ENCODINGS = ['utf8', 'hex'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** What the response to a check must contain. */
export class ResponseSettings {
  /**
   * What the response must contain, at most 1,000 characters, as `encoding` defines. The check passes as soon as it has
   * arrived. Null if any response will do.
   * @example "PONG"
   */
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  @Rule('invalid_value', hexFault, 'hexExpect')
  @Rule('invalid_value', oneExpectation, 'oneExpectation')
  expect?: string | null;

  /**
   * A regular expression (RE2 syntax) that must match somewhere in the response; an alternative to `expect`. With the
   * encoding `hex`, it is applied to the digits, in lower case.
   * @example null
   */
  @IsOptional()
  @IsString()
  @Rule('invalid_value', patternFault, 'pattern')
  expectMatches?: string | null;

  /**
   * How `send` and `expect` are written: as text, or as pairs of hexadecimal digits, which may be separated by spaces.
   * @example "utf8"
   */
  @MayBeLeftOut()
  @IsIn(ENCODINGS)
  encoding?: Encoding;
}

/** What a check sends, and what the response must contain. */
export class ExpectationSettings extends ResponseSettings {
  /**
   * What is sent, at most 8,192 characters, as `encoding` defines. Null to send nothing.
   * @example "PING\r\n"
   */
  @IsOptional()
  @IsString()
  @MaxLength(8_192)
  @Rule('invalid_value', hexFault, 'hexSend')
  send?: string | null;
}

export const NO_EXPECTATION = { expect: null, expectMatches: null, encoding: 'utf8' } as const;

/** Returns what is wrong with hexadecimal digits, or `null`. Values of other types and encodings pass. */
export function hexFault(value: unknown, settings: object): string | null {
  if (typeof value !== 'string' || (settings as ResponseSettings).encoding !== 'hex') return null;
  return /^(?:[\da-f]{2}\s*)*$/i.test(value) ? null : 'must consist of pairs of hexadecimal digits';
}

function oneExpectation(value: unknown, settings: object): string | null {
  const { expectMatches } = settings as ResponseSettings;
  if (value == null || expectMatches == null) return null;
  return 'must be null if expectMatches is set';
}
