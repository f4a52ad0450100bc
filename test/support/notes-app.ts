import { expect } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type IncomingMessage, request as send } from 'node:http';
import { type AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { readConfig } from '../../src/config/app-config.js';
import { ConfigModule } from '../../src/config/config.module.js';
import { DatabaseModule } from '../../src/database/database.module.js';
import { APPLICATION_OPTIONS, applyHttpConventions } from '../../src/http/conventions.js';
import { HttpModule } from '../../src/http/http.module.js';
import { IdempotencyInterceptor } from '../../src/http/idempotency/idempotency.interceptor.js';
import { type Problem } from '../../src/http/problems/problem.js';
import { createTestDatabase } from './database.js';
import { type Note, Notes, NotesModule } from './notes.js';

export interface NoteAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Note & Problem;
}

export interface NoteCall {
  /** The API key, by default `ours`. */
  as?: string;
  method?: string;
  body?: unknown;
  /** The values of `Idempotency-Key`, each sent as a separate header line. */
  keys: string[];
}

/** The API of notes on a separate database. */
export class NotesApp {
  private readonly gates = new Set<() => void>();

  private constructor(
    readonly nest: NestExpressApplication,
    private readonly drop: () => Promise<void>,
  ) {}

  static async start(): Promise<NotesApp> {
    const database = await createTestDatabase();
    const config = readConfig({ DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32) });
    const imports = [ConfigModule.of(config), DatabaseModule, HttpModule, NotesModule];
    const root = { module: class Root {}, imports };
    const nest = await NestFactory.create<NestExpressApplication>(root, { ...APPLICATION_OPTIONS, logger: false });
    applyHttpConventions(nest, { interceptors: [nest.get(IdempotencyInterceptor)] });
    await nest.listen(0, '127.0.0.1');
    const app = new NotesApp(nest, database.drop);
    await app.sql('CREATE TABLE notes (id uuid PRIMARY KEY, team_id uuid, text text)');
    return app;
  }

  async close(): Promise<void> {
    this.openGates();
    await this.nest.close();
    await this.drop();
  }

  /** Sets a function that runs before each write: a test can delay requests there, or make them fail. */
  meetAtTheWrite(what: Notes['atTheWrite'] = () => undefined): void {
    this.nest.get(Notes).atTheWrite = what;
  }

  /** Returns a promise that resolves when `open` is called, at the latest at the end of the test. */
  gate(): { open: () => void; opened: Promise<void> } {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    this.gates.add(open);
    return { open, opened };
  }

  private openGates(): void {
    for (const open of this.gates) open();
    this.gates.clear();
  }

  /** Deletes all stored rows and stops delaying requests. */
  async reset(): Promise<void> {
    this.meetAtTheWrite();
    this.openGates();
    await this.sql('TRUNCATE notes, idempotency_keys');
  }

  sql<Row>(text: string, parameters?: unknown[]): Promise<Row[]> {
    return this.nest.get(DataSource).query<Row[]>(text, parameters);
  }

  notes(): Promise<{ id: string; text: string | null }[]> {
    return this.sql('SELECT id, text FROM notes');
  }

  claims(): Promise<{ key: string; status_code: number | null }[]> {
    return this.sql('SELECT key, status_code FROM idempotency_keys');
  }

  /** Makes all claims older by an interval. */
  async age(by: string): Promise<void> {
    await this.sql(
      `UPDATE idempotency_keys SET claimed_at = claimed_at - $1::interval, expires_at = expires_at - $1::interval`,
      [by],
    );
  }

  call(path: string, { as = 'ours', method = 'POST', body, keys }: NoteCall): Promise<NoteAnswer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
    const { port } = this.nest.getHttpServer().address() as AddressInfo;
    const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json', 'idempotency-key': keys };
    return new Promise((resolve, reject) => {
      const exchange = send({ port, host: '127.0.0.1', method, path: `/v1/notes${path}`, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const received = Buffer.concat(chunks).toString();
          const parsed = (received === '' ? null : JSON.parse(received)) as NoteAnswer['body'];
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed });
        });
      });
      exchange.on('error', reject);
      exchange.end(text);
    });
  }
}

export function isReplay({ headers }: NoteAnswer): boolean {
  return headers['idempotent-replayed'] === 'true';
}

/** Expects `again` to be a replay of `first`, marked as such. */
export function expectReplay(again: NoteAnswer, first: NoteAnswer): void {
  expect([isReplay(first), isReplay(again)]).toEqual([false, true]);
  const { status, body, headers } = first;
  expect(again).toMatchObject({ status, body });
  expect([again.headers.location, again.headers.etag]).toEqual([headers.location, headers.etag]);
}
