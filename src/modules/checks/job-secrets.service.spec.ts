import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../config/app-config.js';
import { SecretBox, UnsealError } from '../../database/secret-box.js';
import { DefinitionSecretsService } from '../monitors/definition/definition-secrets.service.js';
import { type CheckPlan } from '../monitors/schedule/check-plan.types.js';
import { JobSecretsService, locationKey } from './job-secrets.service.js';

const SECRET_KEY = 's'.repeat(40);
const REDIS_URL = 'redis://127.0.0.1:6379';
const DATABASE_URL = 'postgresql://localhost/db';
const FIELDS = { url: 'https://example.com/', headers: { Authorization: 'Bearer open sesame', Accept: 'text/html' } };

const atRest = new DefinitionSecretsService(new SecretBox(SECRET_KEY));
const sender = new JobSecretsService(readConfig({ SECRET_KEY, REDIS_URL, DATABASE_URL }));
const workerWith = (key: string, location = 'default'): JobSecretsService =>
  new JobSecretsService(readConfig({ ROLES: 'worker', LOCATION: location, LOCATION_KEY: key, REDIS_URL }));

function planOf(fields: object): CheckPlan {
  return {
    monitorId: 'm',
    teamId: 't',
    revision: 1,
    type: 'http',
    definition: JSON.stringify(fields),
    intervalMs: 60_000,
    timeoutMs: 10_000,
    degradedAfterMs: null,
    failureThreshold: 2,
    recoveryThreshold: 1,
    retryIntervalMs: null,
    locations: ['default'],
  };
}

describe('secrets in jobs', () => {
  it('are opened by a worker that has the key of its location, and not SECRET_KEY', () => {
    const sent = sender.toSend(planOf(atRest.seal('http', FIELDS)), 'default');
    expect(sent.definition).not.toContain('sesame');
    expect(workerWith(locationKey(SECRET_KEY, 'default')).open(sent)).toEqual(FIELDS);
  });

  it('are not opened with the key of another location, nor with SECRET_KEY', () => {
    const sent = sender.toSend(planOf(atRest.seal('http', FIELDS)), 'default');
    expect(() => workerWith(locationKey(SECRET_KEY, 'elsewhere')).open(sent)).toThrow(UnsealError);
    expect(() => atRest.open('http', JSON.parse(sent.definition) as object)).toThrow(UnsealError);
  });

  it('are sealed again once for each plan and location', () => {
    const plan = planOf(atRest.seal('http', FIELDS));
    expect(sender.toSend(plan, 'default')).toBe(sender.toSend(plan, 'default'));
    const elsewhere = sender.toSend(plan, 'elsewhere');
    expect(workerWith(locationKey(SECRET_KEY, 'elsewhere'), 'elsewhere').open(elsewhere)).toEqual(FIELDS);
    expect(() => workerWith(locationKey(SECRET_KEY, 'default')).open(elsewhere)).toThrow(UnsealError);
  });

  it('leave a plan as it is if it has none, or if they cannot be opened', () => {
    const bare = planOf({ url: 'https://example.com/' });
    expect(sender.toSend(bare, 'default')).toBe(bare);
    const foreign = planOf(new DefinitionSecretsService(new SecretBox('f'.repeat(40))).seal('http', FIELDS));
    expect(sender.toSend(foreign, 'default')).toBe(foreign);
  });

  it('stay sealed under SECRET_KEY within one process', () => {
    const alone = new JobSecretsService(readConfig({ SECRET_KEY }));
    const plan = planOf(atRest.seal('http', FIELDS));
    expect(alone.toSend(plan, 'default')).toBe(plan);
    expect(alone.open(plan)).toEqual(FIELDS);
  });
});
