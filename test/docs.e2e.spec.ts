import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { FIELD_ERROR_CODES } from '../src/domain/field-error-codes.js';
import { PROBLEM_CODES } from '../src/http/problems/problem-codes.js';
import { PROBES } from '../src/probes/index.js';
import { sharedApp, type TestApp } from './support/app.js';
import { operationsOf, propertiesOf } from './support/documented.js';
import { ROUTE_ROWS } from './support/route-rows.js';

type Node = Record<string, unknown>;

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

/** Returns the names of the schemas used in responses, found by following references. */
function answered(): Set<string> {
  const found = new Set<string>();
  const follow = (node: unknown): void => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      follow(app.document.components?.schemas?.[name]);
    }
  };
  for (const { responses } of operationsOf(app.document)) follow(responses);
  return found;
}

/** Returns every pattern with the examples of its schema. */
function patternsIn(node: unknown): { pattern: string; samples: string[] }[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap(patternsIn);
  const { pattern, example, examples } = node as { pattern?: unknown; example?: unknown; examples?: unknown };
  if (typeof pattern !== 'string') return below;
  const shown = [example, ...(Array.isArray(examples) ? (examples as unknown[]) : [])];
  return [{ pattern, samples: shown.filter((one): one is string => typeof one === 'string') }, ...below];
}

describe('the OpenAPI document', () => {
  it('is served as JSON, as identical YAML and as a page', async () => {
    const client = app.undocumented();
    const json = await client.call<Node>('GET', '/docs/openapi.json');
    const yaml = await client.call<string>('GET', '/docs/openapi.yaml');
    expect(parse(yaml.body)).toEqual(json.body);
    expect(json.body.openapi).toBe('3.1.0');
    const page = await client.call<string>('GET', '/docs');
    expect(page.body).toContain('Daywatch API');
    expect(page.body).not.toMatch(/(src|href)="https?:/);
    const problems = await client.call<string>('GET', '/docs/problems');
    for (const code of PROBLEM_CODES) expect(problems.body).toContain(`id="${code}"`);
  });

  it('uses JSON Schema without keywords of OpenAPI 3.0', () => {
    expect(JSON.stringify(app.document)).not.toContain('"nullable"');
  });

  it('has a unique operation id, a short summary, a description and a documented tag for each operation', () => {
    const operations = operationsOf(app.document);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const known = app.document.tags?.map(({ name }) => name);
    for (const { method, path, summary, description, tags } of operations) {
      expect({ method, path, summary, description }).toEqual({
        method,
        path,
        summary: expect.stringMatching(/^.{5,120}$/),
        description: expect.stringMatching(/\w/),
      });
      expect(tags).toHaveLength(1);
      expect(known).toContain(tags[0]);
    }
  });

  it('names operations by verb and object, and schemas without technical suffixes', () => {
    const ids = operationsOf(app.document).map(({ operationId }) => operationId);
    const verbs =
      'list|create|get|put|update|delete|revoke|rotate|request|test|acknowledge|unacknowledge|add|backtest|preview|retry|start|end|pause|resume|import|receive|report';
    for (const id of ids) expect(id).toMatch(new RegExp(`^(${verbs})[A-Z]\\w+$`));
    const names = Object.keys(app.document.components?.schemas ?? {});
    expect(names).toEqual(
      expect.arrayContaining(['Monitor', 'MonitorList', 'StatusPage', 'StatusPageList', 'Problem']),
    );
    for (const name of names) expect(name).not.toMatch(/Dto|PagePage/);
  });

  it('states the required scope of every operation under /v1, and that others require no key', () => {
    for (const { method, path, security, description } of operationsOf(app.document)) {
      const row = ROUTE_ROWS.find((one) => one.method === method && one.path === path.replace(/\{(\w+)\}/g, ':$1'));
      expect({ method, path, security }).toEqual({ method, path, security: row ? [{ bearer: [row.scope] }] : [] });
      expect(description).toContain(
        row ? `Requires an API key with the scope \`${row.scope}\`.` : 'Requires no API key.',
      );
    }
  });

  it('describes API keys as bearer tokens that are not JWTs', () => {
    expect(app.document.components?.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'dw_…', description: expect.stringContaining('API key') },
    });
  });

  it('has an example of each parameter, which the explorer fills in only for required parameters', () => {
    for (const { method, path, parameters } of operationsOf(app.document)) {
      for (const one of parameters) {
        expect({ method, path, parameter: one.name, examples: [one.example, one.schema.examples?.[0]] }).toEqual({
          method,
          path,
          parameter: one.name,
          examples: one.required ? [expect.anything(), undefined] : [undefined, expect.anything()],
        });
      }
    }
  });

  it('has a named example of each body', () => {
    for (const { method, path, requestBody } of operationsOf(app.document)) {
      for (const [type, { examples }] of Object.entries(requestBody?.content ?? {})) {
        expect({ method, path, type, examples }).toEqual({ method, path, type, examples: expect.anything() });
      }
    }
  });

  it('marks every member of a response as required: missing values are null', () => {
    const names = answered();
    const optional = propertiesOf(app.document).filter(({ name, required }) => {
      // The settings of a monitor and the steps of a sequence are always returned completely, but most of their members
      // are optional in requests.
      return names.has(name) && !required && !/(Settings|SequenceStep|HttpOauth2Auth)(Output)?$/.test(name);
    });
    expect(optional.map(({ name, property }) => `${name}.${property}`).sort()).toEqual(
      [
        'FieldError.parameter',
        'FieldError.pointer',
        // An assertion is returned as it was sent.
        ...PROBES.map(({ type }) => `${type[0]!.toUpperCase()}${type.slice(1)}AssertionOutput`).flatMap((name) => [
          `${name}.property`,
          `${name}.target`,
        ]),
        // As with the settings.
        ...['cron', 'everySeconds', 'onCalendar', 'timezone'].map((name) => `HeartbeatScheduleFields.${name}`),
        'Problem.errors',
        // As in the format of Statuspage, in which only groups have it.
        'StatuspageComponent.components',
        // Only with `fidelity=true`.
        ...['absences', 'checksExecuted', 'checksExpected', 'checksLate', 'checksMissed'].map(
          (name) => `UptimeDay.${name}`,
        ),
      ].sort(),
    );
  });

  it('leaves every enumeration in responses open, and lists every problem code', () => {
    for (const name of answered()) {
      // The known values are one alternative, any other string is the second.
      const schema = JSON.stringify(app.document.components?.schemas?.[name]);
      const closed = schema.replaceAll(/"anyOf":\[\{"type":"string","enum":\[[^\]]*\]\},\{"type":"string"\}/g, '');
      expect({ name, closed }).toEqual({ name, closed: expect.not.stringContaining('"enum"') });
    }
    const codesOf = (name: string): unknown =>
      (app.document.components?.schemas?.[name] as { properties: { code: Node } }).properties.code['x-extensible-enum'];
    expect(codesOf('Problem')).toEqual(PROBLEM_CODES);
    expect(codesOf('FieldError')).toEqual(FIELD_ERROR_CODES);
  });

  it('declares the types and formats of integers, times and ids', () => {
    const typeOf = (schema: Node): unknown => [schema.type].flat()[0];
    for (const { name, property, schema } of propertiesOf(app.document)) {
      const at = `${name}.${property}`;
      const isTime = /At$|^until$|Until$|Since$|^since$/.test(property) && typeOf(schema) === 'string';
      if (isTime) expect({ at, format: schema.format }).toEqual({ at, format: 'date-time' });
      if (
        /^(id|monitorId)$/.test(property) &&
        !/^(Check|TrialCheck|RequestedCheck|WriteComponent|ComponentDefinition|EventResource|PreviewNotifications)$/.test(
          name,
        )
      ) {
        expect({ at, format: schema.format }).toEqual({ at, format: 'uuid' });
      }
      const isCount = /revision|Count$|^checks[A-Z]|^attempt$|statusCode$|Days$|^port$|Threshold$/i.test(property);
      if (isCount && !property.endsWith('PerSecond')) {
        if (['null', 'array'].includes(typeOf(schema) as string)) continue;
        expect({ at, type: typeOf(schema) }).toEqual({ at, type: 'integer' });
      }
    }
  });

  it('publishes patterns with the same meaning with and without the u flag', () => {
    const patterns = patternsIn(app.document);
    expect(patterns.length).toBeGreaterThan(5);
    const characters = [...Array(0x300).keys(), 0x2028, 0xfffd, 0x1f600].map((one) => String.fromCodePoint(one));
    for (const { pattern, samples } of patterns) {
      const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')];
      const texts = [...samples, ...characters, ...samples.flatMap((one) => characters.map((c) => one + c))];
      const judgedDifferently = texts.filter((text) => unicode.test(text) !== plain.test(text));
      expect({ pattern, judgedDifferently }).toEqual({ pattern, judgedDifferently: [] });
    }
  });

  it('describes each monitor type by its own fields', () => {
    const create = app.document.components?.schemas?.MonitorCreate as Node;
    const types = Object.keys((create.discriminator as { mapping: Node }).mapping);
    expect(types).toEqual(PROBES.map(({ type }) => type));
    const http = app.document.components?.schemas?.HttpMonitorCreate as { required: string[]; properties: Node };
    expect(http.required.sort()).toEqual(['name', 'type', 'url']);
    expect(http.properties.port).toEqual({ type: 'null' });
  });

  it('contains no secret and no address of this installation', () => {
    const text = JSON.stringify(app.document);
    for (const secret of [app.teams.ours.admin, app.origin, app.teams.ours.id]) expect(text).not.toContain(secret);
  });
});
