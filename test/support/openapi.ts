import { type OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { isNode, mapValues, type Node } from '../../src/http/openapi/openapi-nodes.js';

/** The parts of one exchange that the document describes. */
export interface Exchange {
  method: string;
  /** With its query. */
  path: string;
  /** The JSON value sent; `undefined`: no JSON body. */
  sent: unknown;
  sentType: string;
  status: number;
  contentType: string | null;
  /** The parsed JSON, or the text. */
  body: unknown;
}

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

const DOCUMENT = 'openapi';
const CLOSED = 'openapi-closed';
const PROBLEM = 'application/problem+json';
/**
 * Paths whose schemas are compiled before the first exchange. A test during which they were compiled would not respond to
 * the checks of its own targets for about a second.
 */
const SLOW_TO_COMPILE = /^\/v1\/(monitors(\/\{id\}|\/test)?|definitions\/monitors)$/;

/**
 * Validates the exchanges of the tests against the OpenAPI document that the service serves. Every response must be
 * documented: route, method, status, media type, and a body that matches its schema without members that the schema
 * does not name. A successful request must be one that the document allows.
 */
export class Contract {
  // With `discriminator`, a monitor is validated against the schema of its type alone, instead of that of each type.
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: true });
  private readonly templates: { template: string; pattern: RegExp }[];

  constructor(private readonly document: OpenAPIObject) {
    (formats as unknown as (ajv: Ajv2020) => void)(this.ajv);
    // A response of this version must use a listed value, although clients must accept others.
    this.ajv.addKeyword({
      keyword: 'x-extensible-enum',
      type: 'string',
      macro: (values: string[]) => ({ enum: values }),
    });
    const schemas = withoutMappings(document);
    this.ajv.addSchema(schemas as Node, DOCUMENT);
    this.ajv.addSchema(closed(schemas) as Node, CLOSED);
    // If two templates match, the one with fewer variables wins: `/api-keys/self` is not the key named "self".
    this.templates = Object.keys(document.paths)
      .sort((a, b) => variables(a) - variables(b) || b.length - a.length)
      .map((template) => ({ template, pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`) }));
    for (const template of Object.keys(document.paths)) if (SLOW_TO_COMPILE.test(template)) this.compile(template);
  }

  /** Compiles the schemas of a path. */
  private compile(template: string): void {
    for (const [method, operation] of Object.entries(this.document.paths[template] as Record<string, Operation>)) {
      const pointer = `/paths/${escape(template)}/${method}`;
      for (const mediaType of Object.keys(operation.requestBody?.content ?? {})) {
        this.ajv.getSchema(`${DOCUMENT}#${bodyPointer(pointer, mediaType)}`);
      }
      for (const [status, { content = {} }] of Object.entries(operation.responses ?? {})) {
        for (const mediaType of Object.keys(content)) {
          this.ajv.getSchema(`${CLOSED}#${pointer}/responses/${status}/content/${escape(mediaType)}/schema`);
        }
      }
    }
  }

  /** Throws an error that lists everything that the document does not allow. */
  check(exchange: Exchange): void {
    const [path = '', query = ''] = exchange.path.split(/\?(.*)/s);
    const at = `${exchange.method} ${exchange.path} → ${exchange.status}`;
    const faults = this.faults(exchange, path, query);
    if (faults.length === 0) return;
    throw new Error([`${at} is not as documented:`, ...faults, JSON.stringify(exchange.body)].join('\n  '));
  }

  /**
   * Returns why the document does not allow this JSON request body, which must have no unnamed members; empty if it
   * does.
   */
  forbids(method: string, template: string, body: unknown): string[] {
    const pointer = `/paths/${escape(template)}/${method.toLowerCase()}`;
    return this.misfits(CLOSED, bodyPointer(pointer, 'application/json'), body);
  }

  private faults(exchange: Exchange, path: string, query: string): string[] {
    const method = exchange.method.toLowerCase();
    const operationOf = (template: string) => (this.document.paths[template] as Record<string, Operation>)[method];
    const template = this.templates.find((one) => one.pattern.test(path) && operationOf(one.template))?.template;
    const operation = template === undefined ? undefined : operationOf(template);
    // Responses before routing are documented as conventions of the API, not for each route.
    if (template === undefined || !operation) return this.undocumented(exchange);
    const pointer = `/paths/${escape(template)}/${method}`;
    return [
      ...this.response(exchange, operation, pointer),
      ...(exchange.status < 300 ? this.request(exchange, operation, pointer, query) : []),
    ];
  }

  private undocumented({ status, contentType, body }: Exchange): string[] {
    if (![404, 405, 421].includes(status)) return ['the operation is not documented'];
    if (contentType !== PROBLEM) return [`the media type is ${contentType}, not ${PROBLEM}`];
    return this.misfits(CLOSED, '/components/schemas/Problem', body);
  }

  private response({ status, contentType, body }: Exchange, operation: Operation, pointer: string): string[] {
    const response = operation.responses[status];
    if (!response) return [`the status is not one of ${Object.keys(operation.responses).join(', ')}`];
    const documented = Object.keys(response.content ?? {});
    if (contentType === null) return documented.length > 0 ? ['the response has no body'] : [];
    const [mediaType = ''] = contentType.split(';');
    if (!documented.includes(mediaType)) return [`the media type ${mediaType} is not one of ${documented.join(', ')}`];
    const media = `${pointer}/responses/${status}/content/${escape(mediaType)}`;
    return this.misfits(CLOSED, `${media}/schema`, body);
  }

  private request({ sent, sentType }: Exchange, operation: Operation, pointer: string, query: string): string[] {
    const known = new Set((operation.parameters ?? []).filter((one) => one.in === 'query').map((one) => one.name));
    const unknown = [...new URLSearchParams(query).keys()].filter((name) => !known.has(name));
    const faults = unknown.map((name) => `the service accepted the undocumented parameter "${name}"`);
    if (sent === undefined) return faults;
    if (!operation.requestBody?.content[sentType])
      return [...faults, `the service accepted the undocumented media type ${sentType}`];
    return [
      ...faults,
      ...this.misfits(DOCUMENT, bodyPointer(pointer, sentType), sent).map(
        (fault) => `the service accepted a body that the document does not allow: ${fault}`,
      ),
    ];
  }

  private misfits(schema: string, pointer: string, value: unknown): string[] {
    const validate = this.ajv.getSchema(`${schema}#${pointer}`) as ValidateFunction | undefined;
    if (!validate) return [`there is no schema at ${pointer}`];
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '', params }) => {
      return `${instancePath || '(the body)'} ${message} ${JSON.stringify(params)}`;
    });
  }
}

function bodyPointer(operation: string, mediaType: string): string {
  return `${operation}/requestBody/content/${escape(mediaType)}/schema`;
}

function variables(template: string): number {
  return template.split('{').length - 1;
}

/** Returns a copy of a JSON value with each of its objects replaced, the innermost first. */
function replaced(node: unknown, replace: (copy: Node) => Node): unknown {
  if (Array.isArray(node)) return node.map((one) => replaced(one, replace));
  return isNode(node) ? replace(mapValues(node, (value) => replaced(value, replace))) : node;
}

/** Returns a copy of the schemas in which no object may have members that its schema does not name. */
function closed(schemas: unknown): unknown {
  return replaced(schemas, (schema) => {
    const isOpen = schema.type === 'object' && 'properties' in schema && !('additionalProperties' in schema);
    return isOpen ? { ...schema, unevaluatedProperties: false } : schema;
  });
}

/** Ajv supports no mappings: it reads the values of a discriminator from the schemas to which it leads. */
function withoutMappings(schemas: unknown): unknown {
  return replaced(schemas, ({ discriminator, ...schema }) => {
    if (!discriminator) return schema;
    return { ...schema, discriminator: { propertyName: (discriminator as { propertyName: string }).propertyName } };
  });
}

/** Escapes a reference token of a JSON pointer for a URI fragment (RFC 6901). */
function escape(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}
