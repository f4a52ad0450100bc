import { type OperationDto } from '../../src/modules/operations/dto/operation.dto.js';
import { type TestApp, type TestTeam } from './app.js';

const BULK = '/v1/monitors/bulk';
const OPERATIONS = '/v1/operations';

/** Starts an operation that selects nothing, and is finished at once. */
async function operation({ app }: { app: TestApp }, team: TestTeam): Promise<Record<string, string>> {
  const body = { action: 'resume', select: { tags: ['of no monitor'] } };
  return { id: (await app.api(team.write).post<OperationDto>(BULK, body)).body.id };
}

const read = { method: 'GET', scope: 'read', success: 200, arrange: operation } as const;

/** The routes of actions on many monitors; `ROUTE_ROWS` checks their type. */
export const OPERATION_ROWS = [
  {
    method: 'POST',
    scope: 'write',
    success: 200,
    path: BULK,
    body: { action: 'addTags', select: { all: true }, tags: ['bulk'] },
    bad: { status: 422, body: { action: 'pause', select: {} } },
  },
  { ...read, path: `${OPERATIONS}/:id`, bad: { status: 400, query: '?nothing=1' } },
  { ...read, path: `${OPERATIONS}/:id/results`, bad: { status: 400, query: '?limit=0' } },
] as const;
