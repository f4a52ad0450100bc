import { createRequire } from 'node:module';
import { type Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { remembering } from './memo.js';
import { findsPattern, type Limiter, patternProblem } from './text-pattern.js';

/**
 * JSON Schema (2020-12) over untrusted documents. Patterns are RE2, whose time is linear; otherwise a validation may take
 * long, so callers must interrupt it. `format` is an annotation, as the specification has it, and references lead only to
 * places in the same schema.
 */
export const MAX_SCHEMA_LENGTH = 10_000;
const CACHED_SCHEMAS = 100;
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

type Library = new (options: Options) => Ajv2020;

let library: Library | null = null;
let checker: Ajv2020 | null = null;

/**
 * Loads the library, which takes a tenth of a second, unless it is loaded. Must be called before anything that may be
 * interrupted, because a half-loaded module would remain.
 */
export function loadJsonSchema(): void {
  library ??= (createRequire(import.meta.url)('ajv/dist/2020.js') as { Ajv2020: Library }).Ajv2020;
  checker ??= new library({ strict: false, logger: false });
  checker.getSchema(DIALECT);
}

/** Returns what is wrong with the text of a schema, in words for its author, or `null`. `limited` may bound how long it takes. */
export function schemaProblem(text: string, limited: Limiter = (work) => work()): string | null {
  if (text.length > MAX_SCHEMA_LENGTH) return `is longer than ${MAX_SCHEMA_LENGTH.toLocaleString('en')} characters`;
  loadJsonSchema();
  try {
    limited(() => compile(text));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'is not a JSON Schema';
  }
}

/**
 * Returns where in the schema a value violates it, as a JSON pointer such as `#/properties/status/enum`, or `null` if it
 * conforms. Throws if `schemaProblem` reports a problem.
 */
export function schemaViolation(text: string, value: unknown): string | null {
  loadJsonSchema();
  const validate = compiled(text);
  return validate(value) ? null : (validate.errors?.[0]?.schemaPath ?? '#');
}

const compiled = remembering(compile, CACHED_SCHEMAS);
/** Empties the cache. Must be called when a validation was interrupted, which may have been changing it. */
export const forgetSchemas = compiled.forget;
/** How the library makes a regular expression; `code` is for schemas that are compiled to files. */
const LINEAR = Object.assign((pattern: string) => new LinearPattern(pattern), { code: 'new LinearPattern' });

function compile(text: string): ValidateFunction {
  const schema = JSON.parse(text) as unknown;
  const isSchema = typeof schema === 'boolean' || (typeof schema === 'object' && schema && !Array.isArray(schema));
  if (!isSchema) throw new Error('a schema is an object or a boolean');
  const { $schema, $async } = schema as { $schema?: unknown; $async?: unknown };
  if ($schema !== undefined && $schema !== DIALECT) throw new Error(`$schema must be ${DIALECT} or absent`);
  if ($async !== undefined) throw new Error('$async is not part of JSON Schema');
  if (!checker!.validateSchema(schema)) throw new Error(checker!.errorsText(undefined, { dataVar: 'schema' }));
  // An instance keeps what it has compiled, and knows each `$id` once.
  return new library!({
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    code: { regExp: LINEAR },
  }).compile(schema as object);
}

/** A regular expression for the library, which distinguishes them by their texts. */
class LinearPattern {
  constructor(private readonly pattern: string) {
    const problem = patternProblem(pattern);
    if (problem !== null) throw new Error(`pattern ${JSON.stringify(pattern)}: ${problem}`);
  }

  test(text: string): boolean {
    return findsPattern(this.pattern, text);
  }

  toString(): string {
    return this.pattern;
  }
}
