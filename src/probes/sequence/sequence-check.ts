import { textOf } from '../../domain/assertions.js';
import { type CheckError, type ProbeOutcome } from '../../domain/check-result.js';
import { cut } from '../../domain/cut.js';
import { queryJson } from '../../domain/json-query.js';
import { captured } from '../../domain/text-pattern.js';
import { type Evaluate } from '../evaluation.js';
import { CookieJar } from '../http/cookie-jar.js';
import { type HttpDefinition, type HttpResult, runRequest } from '../http/http-check.js';
import { type ProbeContext } from '../probe.js';
import { checkError, judgeAssertions } from '../verdict.js';
import { filled, filledBody, filledUrl, type Values } from './placeholders.js';
import { type SequenceAssertion, type SequenceExtract } from './sequence-fields.dto.js';

/** A step with its defaults. */
export interface CompleteStep extends HttpDefinition {
  name: string;
  extract: SequenceExtract[];
}

const MAX_VALUE_LENGTH = 8_192;

/** Runs the steps in their order, up to the first that fails. */
export async function checkSequence(
  steps: readonly CompleteStep[],
  assertions: readonly SequenceAssertion[],
  context: ProbeContext,
): Promise<ProbeOutcome> {
  const cookies = new CookieJar();
  const values = new Map<string, string>();
  let last: HttpResult | null = null;
  for (const step of steps) {
    last = await runRequest(withValues(step, values), context, { cookies, keepsBody: needsBody(step) });
    const error = last.outcome.error ?? take(step, last, values, context.evaluate);
    // Indices would refer to assertions of the step, which the monitor's own are not.
    if (error) return { ...last.outcome, error: ofStep(step, error), failedAssertions: [] };
  }
  const outcome = last!.outcome;
  const { responseTimeMs } = outcome;
  const { failed, error } = judgeAssertions(assertions, { responseTimeMs }, context.evaluate);
  return { ...outcome, error, failedAssertions: failed };
}

function ofStep({ name }: CompleteStep, { code, message }: CheckError): CheckError {
  return checkError(code, `Step "${name}": ${message}`);
}

function withValues(step: CompleteStep, values: Values): HttpDefinition {
  if (values.size === 0) return step;
  const headers = Object.fromEntries(
    Object.entries(step.headers).map(([name, value]) => [name, filled(value, values, forHeader)]),
  );
  const body =
    step.body === null || step.body === undefined ? null : filledBody(step.body, mediaTypeOf(headers), values);
  return { ...step, url: filledUrl(step.url, values), headers, body, settings: settingsWith(step.settings, values) };
}

/** A form is encoded after its values have been inserted. */
function settingsWith(settings: HttpDefinition['settings'], values: Values): HttpDefinition['settings'] {
  if (!settings?.form) return settings;
  const fields = settings.form.fields.map((field) => ({ ...field, value: filled(field.value, values) }));
  return { ...settings, form: { ...settings.form, fields } };
}

/** Removes what a header cannot contain, such as a line break that would begin another one. */
function forHeader(value: string): string {
  return value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
}

function mediaTypeOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers).find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
}

function needsBody({ extract }: CompleteStep): boolean {
  return extract.some(({ source }) => source !== 'header');
}

/** Takes the values of a step from its response. Returns the error if one is missing. */
function take(
  step: CompleteStep,
  result: HttpResult,
  values: Map<string, string>,
  evaluate: Evaluate,
): CheckError | null {
  for (const extract of step.extract) {
    let value: string | null = null;
    const isOver = evaluate(() => (value = valueIn(result, extract)));
    if (!isOver || value === null) {
      return checkError('unexpected_response', `The response does not contain the value ${extract.name}.`);
    }
    // Half of a surrogate pair cannot be encoded for a URL or a form.
    values.set(extract.name, cut(value, MAX_VALUE_LENGTH).replace(/\p{Surrogate}/gu, '\ufffd'));
  }
  return null;
}

function valueIn({ reply, text }: HttpResult, { source, property }: SequenceExtract): string | null {
  switch (source) {
    case 'header':
      return reply?.headers[property.toLowerCase()]?.[0] ?? null;
    case 'textBody':
      return captured(property, text ?? '');
    case 'jsonBody':
      try {
        return textOf(queryJson(property, JSON.parse(text ?? ''))[0]);
      } catch {
        // It is not JSON, or too large to be searched.
        return null;
      }
  }
}
