import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsObject,
  IsString,
  Length,
  Matches,
  ValidateNested,
} from 'class-validator';
import { type Assertion, type AssertionSource } from '../../domain/assertions.js';
import { isHeaderName } from '../../domain/header-name.js';
import { jsonPathProblem } from '../../domain/json-query.js';
import { AssertionDto, AssertionList } from '../assertion.dto.js';
import { compileBudget } from '../compile-budget.js';
import { HttpFields } from '../http/http-fields.dto.js';
import { fieldsOf } from '../http/http-settings.rules.js';
import { patternFault } from '../pattern.rules.js';
import { MayBeLeftOut, Rule } from '../rule.decorator.js';
import { namesIn } from './placeholders.js';

export const EXTRACT_SOURCES = ['jsonBody', 'header', 'textBody'] as const;
export type ExtractSource = (typeof EXTRACT_SOURCES)[number];
export const MAX_STEPS = 10;

/** An assertion about a whole sequence. */
export class SequenceAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['responseTimeMs'];
  static override readonly example: Assertion = { source: 'responseTimeMs', comparison: 'lessThan', target: 3_000 };
}

/** A value that is taken from a response. */
export class SequenceExtract {
  /**
   * The name by which later steps use the value, as `{{name}}`: a letter, then up to 49 letters, digits and underscores.
   * @example "token"
   */
  @IsString()
  @Matches(/^[A-Za-z]\w{0,49}$/, { message: 'name must be a letter, then letters, digits and underscores' })
  name: string;

  /**
   * Where the value is.
   * @example "jsonBody"
   */
  @IsIn(EXTRACT_SOURCES)
  source: ExtractSource;

  /**
   * The JSONPath (RFC 9535) of the value, the name of the header, or a regular expression (RE2 syntax) whose first group,
   * or else whose whole match, is the value.
   * @example "$.access_token"
   */
  @IsString()
  @Length(1, 500)
  @Rule('invalid_value', propertyFault, 'property')
  property: string;
}

/** A request of a sequence. Like a monitor of type `http`, with a name. */
export class SequenceStep extends HttpFields {
  /**
   * The name of the step, 1 to 50 characters, which failures mention.
   * @example "Sign in"
   */
  @IsString()
  @Length(1, 50)
  name: string;

  /**
   * Values to take from the response, at most 10. The step fails if one of them is missing.
   * @example [{ "name": "token", "source": "jsonBody", "property": "$.access_token" }]
   */
  @MayBeLeftOut()
  @IsArray()
  @ArrayMaxSize(10)
  @ValidateNested({ each: true })
  @Type(() => SequenceExtract)
  extract?: SequenceExtract[];
}

/** The requests of a sequence. */
export class SequenceSettings {
  /**
   * The requests, 1 to 10, in their order. Values that a step extracts are inserted where later steps have `{{name}}`: in
   * the path and query of `url`, in the values of `headers` and of a form, and in `body`, where they are encoded as
   * `Content-Type` demands. Cookies are kept from step to step. The sequence ends with the first step that fails.
   * @example [{ "name": "Sign in", "url": "https://example.com/sign-in", "method": "POST" }]
   */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_STEPS)
  @Rule('duplicate', distinctNames, 'distinctNames')
  @Rule('invalid_value', unknownNames, 'unknownNames')
  @ValidateNested({ each: true })
  @Type(() => SequenceStep)
  steps: SequenceStep[];
}

/** The fields of a monitor of type `sequence`. */
export class SequenceFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [SequenceAssertion, SequenceExtract, SequenceStep, SequenceSettings];

  /**
   * The requests. `timeoutMs` limits all of them together.
   * @example { "steps": [{ "name": "Home", "url": "https://example.com/" }] }
   */
  @IsObject()
  @ValidateNested()
  @Type(() => SequenceSettings)
  settings: SequenceSettings;

  /** At most 20 assertions about the whole; the only source is `responseTimeMs`. Each step has its own. */
  @ArrayMaxSize(20)
  @AssertionList(() => SequenceAssertion)
  assertions?: SequenceAssertion[];
}

function propertyFault(value: unknown, extract: object): string | null {
  if (typeof value !== 'string') return null;
  const { source } = extract as SequenceExtract;
  if (source === 'header') return isHeaderName(value) ? null : 'must be the name of a header';
  if (source !== 'jsonBody') return patternFault(value);
  const fault = jsonPathProblem(value, compileBudget());
  return fault === null ? null : `must be a JSONPath (RFC 9535): ${fault}`;
}

/** Rules receive the steps before they are fully validated. */
function stepsOf(value: unknown): Partial<SequenceStep>[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).filter((step): step is object => typeof step === 'object' && step !== null);
}

function distinctNames(value: unknown): string | null {
  const names = stepsOf(value).map(({ name }) => name);
  return new Set(names).size === names.length ? null : 'must not contain two steps with the same name';
}

function formValues(form: object | null | undefined): unknown[] {
  return fieldsOf(form && 'fields' in form ? form.fields : null).map(({ value }) => value);
}

/** Returns which placeholder of a step no step before it extracts. */
function unknownNames(value: unknown): string | null {
  const known = new Set<unknown>();
  for (const { url, headers, body, settings, extract } of stepsOf(value)) {
    const inHeaders = typeof headers === 'object' && headers !== null ? Object.values(headers) : [];
    const texts = [url, body, ...inHeaders, ...formValues(settings?.form)];
    const names = texts.filter((text): text is string => typeof text === 'string').flatMap(namesIn);
    const unknown = names.find((name) => !known.has(name));
    if (unknown !== undefined) return `must not use {{${unknown}}} before a step has extracted it`;
    for (const one of Array.isArray(extract) ? (extract as (SequenceExtract | null)[]) : []) known.add(one?.name);
  }
  return null;
}
