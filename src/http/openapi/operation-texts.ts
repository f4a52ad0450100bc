import { type OpenAPIObject } from '@nestjs/swagger';
import { mapOperations, type Node } from './openapi-nodes.js';

/**
 * The document with the comment of each handler as people read it: its first sentence is the summary of the operation,
 * the rest the description, which ends with the scope that a key needs.
 */
export function withOperationTexts(document: OpenAPIObject): OpenAPIObject {
  return mapOperations(document, (operation) => {
    const comment = ((operation.summary as string | undefined) ?? '').replace(/\s+/g, ' ');
    const [, summary = comment, rest] = /^(.+?)\.(?: (.+))?$/.exec(comment) ?? [];
    const description = [rest, operation.description, accessOf(operation)].filter(Boolean).join('\n\n');
    // A summary is no Markdown.
    return { ...operation, summary: summary.replaceAll('`', ''), description };
  });
}

function accessOf({ security }: Node): string {
  const [scheme] = security as Record<string, string[]>[];
  const scopes = Object.values(scheme ?? {}).flat();
  if (!scheme) return 'Takes no API key.';
  return `Needs an API key of scope ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`;
}
