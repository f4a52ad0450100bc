import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { ApiProblems, BODY_PROBLEMS } from './openapi.js';
import { operationId } from './operation-ids.js';
import { PageQueryDto } from '../lists/page.js';
import { PROBLEMS } from '../problems/problem-codes.js';

@Controller('v1/things')
class ThingsController {
  @Get()
  @ApiProblems('not_found', ...BODY_PROBLEMS)
  list(@Query() query: PageQueryDto): number {
    return query.limit;
  }
}

@Module({ controllers: [ThingsController] })
class AppModule {}

describe('the OpenAPI document', () => {
  it('contains the problems of a route with an example for each, and the parameters of pages', async () => {
    const app = await NestFactory.create(AppModule, { logger: false });
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build(), {
      operationIdFactory: operationId,
    });
    await app.close();
    const operation = document.paths['/v1/things']?.get;
    expect(operation?.operationId).toBe('listThings');
    expect(operation?.parameters).toContainEqual(
      expect.objectContaining({
        name: 'limit',
        in: 'query',
        schema: expect.objectContaining({ type: 'integer', minimum: 1, default: 50 }),
      }),
    );
    const problems = Object.entries(operation?.responses ?? {}).filter(([status]) => Number(status) >= 400);
    expect(problems.map(([status]) => Number(status))).toEqual([400, 401, 403, 404, 413, 415, 421, 422, 429, 500, 503]);
    for (const [status, response] of problems) {
      const { content, headers } = response as {
        content: Record<string, { schema: object; examples: object }>;
        headers: object;
      };
      const { schema, examples } = content['application/problem+json'] ?? { schema: {}, examples: {} };
      expect(schema).toEqual({ $ref: '#/components/schemas/ProblemDto' });
      expect(headers).toHaveProperty('X-Request-Id');
      for (const [code, example] of Object.entries(examples) as [keyof typeof PROBLEMS, { value: object }][]) {
        expect(example.value).toMatchObject({ code, status: Number(status), title: PROBLEMS[code].title });
      }
    }
    expect(Object.keys(document.components?.schemas ?? {})).toEqual(
      expect.arrayContaining(['ProblemDto', 'FieldErrorDto']),
    );
  });
});
