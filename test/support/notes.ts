import { Body, Controller, Header, HttpCode, Injectable, Module, Post, Put, Res } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type ServerResponse } from 'node:http';
import { managerOf, Transactions, type Tx } from '../../src/database/tx.js';
import { Public, RequireScope } from '../../src/http/auth/access.decorators.js';
import { Keep, type KeepAnswer } from '../../src/http/idempotency/keep-answer.js';
import { CurrentTeam, KeyVerifier, type Principal, type TeamId } from '../../src/http/auth/principal.js';
import { Located } from '../../src/http/items/representation.js';

export interface Note {
  id: string;
  revision: number;
  secret: string | null;
}

type NoteBody = { text?: string };

/** Writes notes for routes that use each way in which a service can store its response. */
@Injectable()
export class Notes {
  /** Runs before each write: a test can delay the request there, or make it fail. */
  atTheWrite: (body: NoteBody) => Promise<void> | void = () => undefined;

  constructor(private readonly transactions: Transactions) {}

  async add(team: TeamId, body: NoteBody, keep: (tx: Tx, note: Note) => Promise<void>): Promise<Note> {
    const note = { id: randomUUID(), revision: 1, secret: 'dw_secret' };
    await this.atTheWrite(body);
    await this.transactions.run(async (tx) => {
      await managerOf(tx).query('INSERT INTO notes VALUES ($1, $2, $3)', [note.id, team, body.text]);
      await keep(tx, note);
    });
    return note;
  }
}

const KEEPS_NOT = (): Promise<void> => Promise.resolve();

@Controller('v1/notes')
class NotesController {
  constructor(private readonly notes: Notes) {}

  @Post()
  @RequireScope('write')
  @Located('/v1/notes/{id}')
  create(@CurrentTeam() team: TeamId, @Body() body: object, @Keep() keep: KeepAnswer): Promise<Note> {
    return this.notes.add(team, body, (tx, note) => keep.in(tx, note));
  }

  @Post('redacted')
  @RequireScope('write')
  redacted(@CurrentTeam() team: TeamId, @Body() body: object, @Keep() keep: KeepAnswer): Promise<Note> {
    return this.notes.add(team, body, (tx, note) => keep.in(tx, { ...note, secret: null }));
  }

  @Post('promised')
  @HttpCode(202)
  @RequireScope('write')
  @Located('/v1/notes/{id}')
  async promised(
    @CurrentTeam() team: TeamId,
    @Body() body: NoteBody,
    @Keep() keep: KeepAnswer,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<object> {
    const { id } = await this.notes.add(team, {}, (tx, note) => keep.promiseIn(tx, { id: note.id }));
    await this.notes.atTheWrite(body);
    response.statusCode = 200;
    return { id, done: true };
  }

  @Post('fails-after')
  @RequireScope('write')
  async failsAfter(@CurrentTeam() team: TeamId, @Body() body: object, @Keep() keep: KeepAnswer): Promise<never> {
    await this.notes.add(team, body, (tx, note) => keep.in(tx, note));
    throw new Error('too late');
  }

  @Post('unkept')
  @RequireScope('write')
  @Located('/v1/notes/{id}')
  unkept(@CurrentTeam() team: TeamId, @Body() body: object): Promise<Note> {
    return this.notes.add(team, body, KEEPS_NOT);
  }

  @Post('secret')
  @RequireScope('write')
  @Header('Cache-Control', 'no-store')
  secret(@CurrentTeam() team: TeamId, @Body() body: object): Promise<Note> {
    return this.notes.add(team, body, KEEPS_NOT);
  }

  @Post('nothing')
  @HttpCode(204)
  @RequireScope('write')
  async nothing(@CurrentTeam() team: TeamId, @Body() body: object): Promise<void> {
    await this.notes.add(team, body, KEEPS_NOT);
  }

  @Post('refused')
  @RequireScope('write')
  async refused(
    @CurrentTeam() team: TeamId,
    @Body() body: object,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<object> {
    await this.notes.add(team, body, KEEPS_NOT);
    response.statusCode = 303;
    return {};
  }

  @Post('self/touch')
  @RequireScope('read')
  touch(@CurrentTeam() team: TeamId, @Keep() keep: KeepAnswer): Promise<Note> {
    return this.notes.add(team, {}, (tx, note) => keep.in(tx, note));
  }

  @Put('one')
  @RequireScope('write')
  replace(@CurrentTeam() team: TeamId, @Body() body: object): Promise<Note> {
    return this.notes.add(team, body, KEEPS_NOT);
  }

  @Post('open')
  @Public()
  async open(): Promise<Note> {
    return this.notes.add(randomUUID() as TeamId, {}, KEEPS_NOT);
  }
}

/** The team of the key `ours`. */
export const OURS = randomUUID() as TeamId;
const KEYS: Record<string, Principal> = {
  ours: { keyId: 'k1', name: 'k1', teamId: OURS, scopes: ['write'] },
  alsoOurs: { keyId: 'k2', name: 'k2', teamId: OURS, scopes: ['write'] },
  reader: { keyId: 'k3', name: 'k3', teamId: OURS, scopes: ['read'] },
  theirs: { keyId: 'k4', name: 'k4', teamId: randomUUID() as TeamId, scopes: ['write'] },
};

class Keys extends KeyVerifier {
  verify(token: string): Promise<Principal | null> {
    return Promise.resolve(KEYS[token] ?? null);
  }
}

/** An API of notes at `/v1/notes`, and its API keys. */
@Module({
  controllers: [NotesController],
  providers: [Notes, { provide: KeyVerifier, useClass: Keys }],
})
export class NotesModule {}
