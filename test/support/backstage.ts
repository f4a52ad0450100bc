import { type Tx } from '../../src/database/tx.js';
import { type Scope, type TeamId } from '../../src/http/auth/principal.js';
import { type BackstageCall, callHost } from './host-calls.js';
import { type RegisteredRoute } from './routes.js';
import { type SessionRoute } from './session-routes.js';

/** A team, and the secrets of its keys by scope. */
export type TestTeam = Record<Scope, string> & { id: TeamId };

/** The members of a provider as called from another process: arguments and results travel as JSON. */
export type Remote<Provider> = {
  [Name in keyof Provider]: Provider[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : () => Promise<Provider[Name]>;
};

/** The methods of a provider that take a transaction as first argument, which the host supplies: one for each call. */
export type RemoteInTransaction<Provider> = {
  [Name in keyof Provider]: Provider[Name] extends (tx: Tx, ...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** Gives tests access to the inside of a running service. The service itself has no code for it. */
export class Backstage {
  constructor(
    private readonly host: string,
    private readonly origin: string,
  ) {}

  /** Returns the provider whose class has this name. A name and a type, so that tests need not load the class. */
  provider<Provider>(name: string): Remote<Provider> {
    return this.methodsOf(name, false) as Remote<Provider>;
  }

  /** Returns a provider whose methods run in a transaction each. */
  inTransaction<Provider>(name: string): RemoteInTransaction<Provider> {
    return this.methodsOf(name, true) as RemoteInTransaction<Provider>;
  }

  /** Creates a team with a key for each scope. */
  makeTeam(name: string): Promise<TestTeam> {
    return this.call({ kind: 'team', name });
  }

  /** Returns every route that the running router knows. */
  routes(): Promise<RegisteredRoute[]> {
    return this.call({ kind: 'routes' });
  }

  /** Returns every route of the web application, by reflection over the controllers. */
  sessionRoutes(): Promise<SessionRoute[]> {
    return this.call({ kind: 'session-routes' });
  }

  /** Returns the enumerable properties of the prototypes of objects, arrays and functions. By default, there are none. */
  prototypeProperties(): Promise<string[]> {
    return this.call({ kind: 'prototypes' });
  }

  /** Returns every query that the service makes through its data source while `work` runs. */
  async queriesDuring(work: () => Promise<unknown>): Promise<string[]> {
    await this.call({ kind: 'record-queries' });
    try {
      await work();
    } catch (error) {
      await this.call({ kind: 'recorded-queries' });
      throw error;
    }
    return this.call({ kind: 'recorded-queries' });
  }

  /**
   * Starts `cause`, which must lead to a call of the method, holds back the result of that call until `meanwhile` has
   * finished, and returns the outcome of `cause`.
   */
  async duringCall<Provider, T>(
    [provider, method]: [name: string, method: keyof Provider & string],
    cause: () => Promise<T>,
    meanwhile: () => Promise<unknown>,
  ): Promise<T> {
    await this.call({ kind: 'hold', provider, method });
    const outcome = cause();
    await this.call({ kind: 'held' });
    await meanwhile().finally(() => this.call({ kind: 'release' }));
    return outcome;
  }

  private methodsOf(provider: string, inTransaction: boolean): unknown {
    return new Proxy(
      {},
      {
        get:
          (_, method: string) =>
          (...args: unknown[]) =>
            this.call({ kind: 'provider', provider, method, args, inTransaction }),
      },
    );
  }

  private call<T>(call: BackstageCall): Promise<T> {
    return callHost(this.host, { kind: 'backstage', origin: this.origin, call });
  }
}
