import { SetMetadata } from '@nestjs/common';
import { createHash } from 'node:crypto';

const LOCATION = 'daywatch:location';

/**
 * Where an answer of 201 or 202 says that the resource is: a path in which `{name}` stands for a member of the answer.
 */
export const Located = (template: string) => SetMetadata(LOCATION, template);

/** An answer that does not show the revision it is of, such as the writable fields alone. */
export class Representation<T extends object = object> {
  constructor(
    readonly body: T,
    readonly revision: number,
  ) {}
}

/** What is sent of an answer. */
export function bodyOf(answer: unknown): unknown {
  return answer instanceof Representation ? answer.body : answer;
}

/**
 * The headers that follow from an answer: `ETag` of one that has a revision, and `Location` where the handler is
 * `@Located` and the status says that something was made.
 */
export function answerHeaders(handler: object, statusCode: number, answer: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  const revision = (answer as { revision?: unknown } | null | undefined)?.revision;
  if (Number.isInteger(revision)) headers.ETag = entityTag(revision as number, bodyOf(answer));
  const template = Reflect.getMetadata(LOCATION, handler) as string | undefined;
  if (template !== undefined && (statusCode === 201 || statusCode === 202)) {
    const members = answer as Record<string, unknown>;
    headers.Location = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(members[name])));
  }
  return headers;
}

/**
 * `"<revision>.<state>"`: callers' writes raise the revision; the state is a digest of all that is shown, so that no
 * change of it, whatever its cause, goes unnoticed.
 */
function entityTag(revision: number, body: unknown): string {
  const state = createHash('sha1').update(JSON.stringify(body)).digest().readUIntBE(0, 6);
  return `"${revision}.${state}"`;
}
