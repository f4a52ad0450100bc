import { SetMetadata } from '@nestjs/common';
import { createHash } from 'node:crypto';

const LOCATION = 'daywatch:location';

/** Sets the `Location` of a 201 or 202 response: a path in which `{name}` stands for a member of the response. */
export const Located = (template: string) => SetMetadata(LOCATION, template);

/** A response whose body does not contain its revision, such as the writable fields only. */
export class Representation<T extends object = object> {
  constructor(
    readonly body: T,
    readonly revision: number,
  ) {}
}

/** Returns the part of a response to send as its body. */
export function bodyOf(answer: unknown): unknown {
  return answer instanceof Representation ? answer.body : answer;
}

/**
 * Returns the headers that follow from a response: `ETag` if it has a revision, and `Location` if the handler is
 * `@Located` and the status is 201 or 202.
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
 * Returns `"<revision>.<state>"`. Writes of callers increase the revision; the state is a digest of everything shown,
 * so that any change to it is noticed, whatever its cause.
 */
function entityTag(revision: number, body: unknown): string {
  const state = createHash('sha1').update(JSON.stringify(body)).digest().readUIntBE(0, 6);
  return `"${revision}.${state}"`;
}
