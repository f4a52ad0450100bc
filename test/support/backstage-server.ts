import { type NestExpressApplication } from '@nestjs/platform-express';
import { ModulesContainer } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { Transactions } from '../../src/database/tx.js';
import { SCOPES } from '../../src/http/auth/principal.js';
import { readDefinition } from '../../src/modules/api-keys/api-key-definition.js';
import { ApiKeysService, SYSTEM } from '../../src/modules/api-keys/api-keys.service.js';
import { TeamsService } from '../../src/modules/teams/teams.service.js';
import { type BackstageCall } from './host-calls.js';
import { recordQueries } from './query-log.js';
import { registeredRoutes } from './routes.js';
import { sessionRoutes } from './session-routes.js';

/** Answers the calls of `Backstage` for one service. */
export class BackstageServer {
  private recording: { stop(): string[] } | null = null;
  private held: HeldCall | null = null;

  constructor(private readonly nest: NestExpressApplication) {}

  answer(call: BackstageCall): unknown {
    switch (call.kind) {
      case 'provider':
        return callProvider(this.nest, call);
      case 'team':
        return makeTeam(this.nest, call.name);
      case 'routes':
        return registeredRoutes(this.nest);
      case 'session-routes':
        return sessionRoutes(this.nest);
      case 'prototypes':
        return [Object.prototype, Array.prototype, Function.prototype].flatMap((one) => Object.keys(one));
      case 'record-queries':
        this.recording = recordQueries(this.nest.get(DataSource));
        return null;
      case 'recorded-queries':
        return this.recording!.stop();
      case 'hold':
        this.held = holdNext(providerNamed(this.nest, call.provider), call.method);
        return null;
      case 'held':
        return this.held!.reached;
      case 'release':
        return this.held!.release();
    }
  }
}

interface HeldCall {
  /** Resolves once the call has its result. */
  reached: Promise<void>;
  /** Lets the call return. */
  release(): void;
}

/** Holds back the result of the next call of a method until it is released. */
function holdNext(instance: Record<string, unknown>, method: string): HeldCall {
  let [isReached, release] = [(): void => undefined, (): void => undefined];
  const reached = new Promise<void>((resolve) => (isReached = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const act = instance[method] as (...args: unknown[]) => unknown;
  instance[method] = async (...args: unknown[]) => {
    delete instance[method];
    const result = await act.apply(instance, args);
    isReached();
    await released;
    return result;
  };
  return { reached, release: () => release() };
}

function callProvider(
  nest: NestExpressApplication,
  { provider, method, args, inTransaction }: Extract<BackstageCall, { kind: 'provider' }>,
): unknown {
  const instance = providerNamed(nest, provider);
  if (!(method in instance)) throw new Error(`${provider} has no member "${method}"`);
  const act = instance[method];
  if (typeof act !== 'function') return act;
  const call = (...all: unknown[]): unknown => (act as (...all: unknown[]) => unknown).apply(instance, all);
  if (!inTransaction) return call(...args);
  return nest.get(Transactions, { strict: false }).run((tx) => Promise.resolve(call(tx, ...args)));
}

function providerNamed(nest: NestExpressApplication, name: string): Record<string, unknown> {
  for (const module of nest.get(ModulesContainer).values()) {
    for (const [token, { instance }] of module.providers) {
      if (typeof token === 'function' && token.name === name) return instance as Record<string, unknown>;
    }
  }
  throw new Error(`there is no provider "${name}"`);
}

/** Creates a team as `npm run team:create` does, with a key for each scope. */
async function makeTeam(nest: NestExpressApplication, name: string): Promise<Record<string, string>> {
  const keys = nest.get(ApiKeysService, { strict: false });
  return nest.get(Transactions, { strict: false }).run(async (tx) => {
    const id = await nest.get(TeamsService, { strict: false }).create(tx, name);
    const team: Record<string, string> = { id };
    for (const scope of SCOPES) {
      const definition = readDefinition({ name: `${scope} key`, scopes: [scope] }, Date.now());
      team[scope] = (await keys.mint(tx, id, definition, SYSTEM)).secret;
    }
    return team;
  });
}
