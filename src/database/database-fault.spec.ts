import { describe, expect, it } from '@jest/globals';
import {
  CannotExecuteNotConnectedError,
  ConnectionIsNotSetError,
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { isDatabaseAway, isStatementTimeout, refusesWrites } from './database-fault.js';

const coded = (code: string, more: object = {}) => Object.assign(new Error('from the driver'), { code, ...more });
const wrapped = (code: string) => new QueryFailedError('SELECT 1', [], coded(code));

describe('isDatabaseAway', () => {
  it.each<[string, unknown, boolean]>([
    ['refused', coded('ECONNREFUSED'), true],
    ['refused on both address families', new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]), true],
    ['no socket file', coded('ENOENT', { syscall: 'connect' }), true],
    ['another missing file', coded('ENOENT', { syscall: 'open' }), false],
    ['shut down', wrapped('57P01'), true],
    ['starting', wrapped('57P03'), true],
    ['connection exception', wrapped('08006'), true],
    ['too many connections', wrapped('53300'), true],
    ['statement timeout', wrapped('57014'), true],
    ['serialization', wrapped('40001'), true],
    ['deadlock', wrapped('40P01'), true],
    ['by cause', new Error('wrapped', { cause: wrapped('57P01') }), true],
    ['terminated', new Error('Connection terminated unexpectedly'), true],
    ['terminated between two statements', new QueryRunnerAlreadyReleasedError(), true],
    ['closed between two statements', new Error('Client was closed and is not queryable'), true],
    ['pool timeout', new Error('timeout exceeded when trying to connect'), true],
    ['unique violation', wrapped('23505'), false],
    ['syntax error', wrapped('42601'), false],
    ['NUL in text', wrapped('22021'), false],
    ['a plain error', new Error('bug'), false],
    ['no error', 'ECONNREFUSED', false],
    ['nothing', undefined, false],
  ])('classifies "%s"', (_name, error, away) => {
    expect(isDatabaseAway(error)).toBe(away);
  });

  it.each<[string, Error]>([
    ['CannotExecuteNotConnectedError', new CannotExecuteNotConnectedError()],
    ['ConnectionIsNotSetError', new ConnectionIsNotSetError('postgres')],
    ['QueryRunnerAlreadyReleasedError', new QueryRunnerAlreadyReleasedError()],
    ['QueryRunnerProviderAlreadyReleasedError', new QueryRunnerProviderAlreadyReleasedError()],
  ])('recognises %s by its class, whatever its message is', (_name, error) => {
    error.message = 'reworded';
    expect(isDatabaseAway(error)).toBe(true);
    expect(isDatabaseAway(new Error('wrapped', { cause: error }))).toBe(true);
  });

  it('terminates on circular causes', () => {
    const error = new Error('circular');
    error.cause = error;
    expect(isDatabaseAway(error)).toBe(false);
  });
});

describe('refusesWrites', () => {
  it.each<[string, unknown, boolean]>([
    ['disk full', wrapped('53100'), true],
    ['disk error', wrapped('58030'), true],
    ['read-only transaction', wrapped('25006'), true],
    ['disk full, by cause', new Error('wrapped', { cause: wrapped('53100') }), true],
    ['out of memory', wrapped('53200'), false],
    ['too many connections', wrapped('53300'), false],
    ['shut down', wrapped('57P01'), false],
    ['refused', coded('ECONNREFUSED'), false],
    ['unique violation', wrapped('23505'), false],
    ['a plain error', new Error('bug'), false],
    ['no error', '53100', false],
  ])('classifies "%s"', (_name, error, refused) => {
    expect(refusesWrites(error)).toBe(refused);
  });

  it.each(['53100', '58030', '25006'])(
    'returns true only for errors that isDatabaseAway recognises too: %s',
    (code) => {
      expect(isDatabaseAway(wrapped(code))).toBe(true);
    },
  );
});

describe('isStatementTimeout', () => {
  it.each<[string, unknown, boolean]>([
    ['statement timeout', wrapped('57014'), true],
    ['statement timeout, by cause', new Error('wrapped', { cause: wrapped('57014') }), true],
    ['shut down', wrapped('57P01'), false],
    ['no error', '57014', false],
  ])('classifies "%s"', (_name, error, isTimeout) => {
    expect(isStatementTimeout(error)).toBe(isTimeout);
  });
});
