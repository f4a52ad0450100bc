import { type OpenAPIObject } from '@nestjs/swagger';
import { mapOperations, type Node } from './openapi-nodes.js';

/**
 * Returns the document with the comment of each handler as its texts: the first sentence is the summary of the
 * operation, the rest the description, which ends with the required scope.
 */
export function withOperationTexts(document: OpenAPIObject): OpenAPIObject {
  return mapOperations(document, (operation) => {
    const comment = ((operation.summary as string | undefined) ?? '').replace(/\s+/g, ' ');
    const [, summary = comment, rest] = /^(.+?)\.(?: (.+))?$/.exec(comment) ?? [];
    const description = [rest, operation.description, accessOf(operation)].filter(Boolean).join('\n\n');
    // Summaries are plain text, not Markdown.
    return { ...operation, summary: summary.replaceAll('`', ''), description };
  });
}

function accessOf({ security }: Node): string {
  const [scheme] = security as Record<string, string[]>[];
  const scopes = Object.values(scheme ?? {}).flat();
  if (!scheme) return 'Requires no API key.';
  return `Requires an API key with the scope ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`;
}
