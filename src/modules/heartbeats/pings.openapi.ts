import { type OpenAPIObject } from '@nestjs/swagger';

type Paths = OpenAPIObject['paths'];
type Operation = NonNullable<Paths[string]['get']>;
type Response = Operation['responses'][string];

const TOKEN = {
  name: 'token',
  in: 'path' as const,
  required: true,
  description: 'The last part of the `pingUrl` of the monitor.',
  schema: { type: 'string' as const },
  example: '4b8a8ad1-6a4c-4d2f-9d5c-8a1b2c3d4e5f',
};

const RUN_ID = {
  name: 'rid',
  in: 'query' as const,
  required: false,
  description:
    'Pairs the start of a run with its end when runs overlap. Without it, an end belongs to the run that started without one or, if there is none, to the newest run.',
  schema: { type: 'string' as const, maxLength: 100, example: 'run-17' },
};

const CREATE = {
  name: 'create',
  in: 'query' as const,
  required: false,
  description: 'With a ping key, creates a missing monitor.',
  schema: { type: 'string' as const, enum: ['1'], example: '1' },
};

const LOG = {
  required: false,
  description: 'The output of the job. At most 100,000 bytes, of which the first 10,000 are kept.',
  content: {
    'text/plain': {
      schema: { type: 'string' as const },
      examples: { output: { summary: 'The output of the job.', value: 'Backed up 17 databases.' } },
    },
  },
};

/** How much of a body is kept, as clients of Healthchecks expect to be told. */
const BODY_LIMIT = {
  'Ping-Body-Limit': { description: 'Bytes of a body that are kept.', schema: { type: 'integer' as const } },
};

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds until the next attempt.', schema: { type: 'integer' as const } },
};

/** Returns a response whose body is a fixed text. */
function text(description: string, body: string, headers?: typeof RETRY_AFTER): Response {
  return {
    description,
    headers: { ...BODY_LIMIT, ...headers },
    content: { 'text/plain': { schema: { type: 'string' }, examples: { body: { value: body } } } },
  };
}

const TEXTS = {
  200: text('The report is durable.', 'OK'),
  201: text('A missing monitor was created, and the report is durable.', 'Created'),
  400: text('`rid` is too long, or the body is incomplete.', 'rid is too long'),
  404: text('No monitor has this token or key.', 'not found'),
  405: text('The monitor does not accept this method.', 'method not allowed'),
  409: text('A monitor of another type has this key.', 'Another monitor of the team already has this key.'),
  413: text('The body is too large.', 'the body is too large'),
  422: text('The monitor cannot be created: its key is invalid, or the team has too many.', 'key must have 1 to 100 characters: a-z, 0-9, ".", "_", "-"'), // prettier-ignore
  429: text('More than ten reports of the same kind in ten seconds. This one was not stored.', 'too many reports', RETRY_AFTER), // prettier-ignore
  503: text('The report could not be stored.', 'try again later', RETRY_AFTER),
};

function json(description: string, body: object, more?: typeof RETRY_AFTER): Response {
  const schema = {
    type: 'object' as const,
    required: ['ok'],
    properties: { ok: { type: 'boolean' as const }, msg: { type: 'string' as const } },
  };
  return {
    description,
    headers: { ...BODY_LIMIT, ...more },
    content: { 'application/json': { schema, examples: { body: { value: body } } } },
  };
}

const common = { tags: ['Heartbeats'], security: [] };

/**
 * The addresses to which jobs report. They are described by hand, because no controller serves them.
 */
export const PING_PATHS: Paths = {
  '/ping/{token}': {
    post: {
      ...common,
      operationId: 'reportSuccess',
      summary: 'Reports that a job has succeeded.',
      description:
        'GET and HEAD do the same. `OK` means that the report is durable. With a ping key, the address is `/ping/<ping key>/<monitor key>`.',
      parameters: [TOKEN, RUN_ID, CREATE],
      requestBody: LOG,
      responses: TEXTS,
    },
  },
  '/ping/{token}/{signal}': {
    post: {
      ...common,
      operationId: 'reportSignal',
      summary: 'Reports the start, the failure, the exit status or the output of a job.',
      description:
        'GET and HEAD do the same. `OK` means that the report is durable. With a ping key, the address is `/ping/<ping key>/<monitor key>/<signal>`.',
      parameters: [
        TOKEN,
        {
          name: 'signal',
          in: 'path',
          required: true,
          description:
            '`start` (a run begins), `fail`, `log` (only the body is kept), or the exit status, of which only 0 is a success.',
          schema: { type: 'string', pattern: '^(start|fail|log|\\d{1,3})$' },
          example: 'start',
        },
        RUN_ID,
        CREATE,
      ],
      requestBody: LOG,
      responses: TEXTS,
    },
  },
  '/api/push/{token}': {
    get: {
      ...common,
      operationId: 'reportPush',
      summary: 'Reports a result at an address of Uptime Kuma.',
      description:
        'POST and HEAD do the same. For jobs that were written for Uptime Kuma: only the host of their address changes.',
      parameters: [
        TOKEN,
        {
          name: 'status',
          in: 'query',
          required: false,
          description: '`up`, the default, reports a success, anything else a failure.',
          schema: { type: 'string', example: 'up' },
        },
        {
          name: 'msg',
          in: 'query',
          required: false,
          description: 'Kept with the check, as its log.',
          schema: { type: 'string', example: 'OK' },
        },
        {
          name: 'ping',
          in: 'query',
          required: false,
          description: 'The duration of the run in milliseconds.',
          schema: { type: 'string', example: '1500' },
        },
      ],
      responses: {
        200: json('The report is durable.', { ok: true }),
        400: json('The body is incomplete.', { ok: false, msg: 'the body is incomplete' }),
        404: json('No monitor has this token.', { ok: false, msg: 'not found' }),
        405: json('The monitor does not accept this method.', { ok: false, msg: 'method not allowed' }),
        413: json('The body is too large.', { ok: false, msg: 'the body is too large' }),
        429: json('Too many reports. This one was not stored.', { ok: false, msg: 'too many reports' }, RETRY_AFTER),
        503: json('The report could not be stored.', { ok: false, msg: 'try again later' }, RETRY_AFTER),
      },
    },
  },
};
