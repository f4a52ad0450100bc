import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { managerOf, type Tx } from '../../database/tx.js';
import { isUniqueViolation } from '../../database/unique-violation.js';
import { validationFailed } from '../../http/problems/problem.js';
import { inspectBody, readObject, validateBody } from '../../http/body/validation.js';
import { NewPasswordDto, NewUserDto, UserNameDto } from './dto/new-user.dto.js';
import { emailOf } from './email.js';
import { passwordFaults } from './password-rules.js';
import { PasswordsService } from './passwords.service.js';
import { User } from './user.entity.js';

/** A person as others may see them. */
export type UserSummary = Pick<User, 'id' | 'name' | 'email'>;

/** A person who is not stored yet, with all that is slow already done. */
export type PreparedUser = Omit<User, 'createdAt' | 'updatedAt'>;

/** Whose password was verified, and against which hash. */
type Credentials = Pick<User, 'id' | 'passwordHash'>;

/** The people of the installation. */
@Injectable()
export class UsersService {
  /** Nobody is ever deleted: once there is somebody, there always is. */
  private known = false;

  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly passwords: PasswordsService,
  ) {}

  /** Whether there is anybody at all. */
  async any(): Promise<boolean> {
    return (this.known ||= await this.users.exists());
  }

  /** How many the transaction sees. */
  count(tx: Tx): Promise<number> {
    return managerOf(tx).count(User);
  }

  /** Reads and judges a new person (`NewUserDto`), and hashes the password. @throws 422 with every fault at once */
  async prepare(body: unknown): Promise<PreparedUser> {
    const { instance, errors } = inspectBody(NewUserDto, tidied(body));
    const { name, email, password } = instance;
    if (errors.length === 0) errors.push(...passwordFaults(password, email));
    if (errors.length > 0) throw validationFailed(errors);
    return { id: uuidv7(), name, email, passwordHash: await this.passwords.hash(password) };
  }

  /** @throws 422 where the email is taken */
  async insert(tx: Tx, user: PreparedUser): Promise<void> {
    try {
      await managerOf(tx).insert(User, user);
    } catch (error) {
      if (!isUniqueViolation(error, 'users_email')) throw error;
      const detail = 'There is an account with this email already: sign in with it.';
      throw validationFailed([{ pointer: '/email', code: 'duplicate', detail }]);
    }
  }

  /**
   * Who signs in with this; null, after the same time, for an unknown email and for a wrong password.
   * @throws 429 as `PasswordsService.check`
   */
  async authenticate(email: string, password: string, address: string): Promise<User | null> {
    // PostgreSQL takes no NUL, and nobody's email has one.
    const user = email.includes('\0') ? null : await this.users.findOneBy({ email: emailOf(email) });
    return (await this.passwords.check(user?.passwordHash ?? null, password, address)) ? user : null;
  }

  /** The person with this id; null where there is none. */
  async find(id: string): Promise<UserSummary | null> {
    return this.users.findOne({ where: { id }, select: { id: true, name: true, email: true } });
  }

  /** Those with these ids, by id. */
  async byId(ids: readonly string[]): Promise<ReadonlyMap<string, UserSummary>> {
    if (ids.length === 0) return new Map();
    const found = await this.users.find({
      where: { id: In([...ids]) },
      select: { id: true, name: true, email: true },
    });
    return new Map(found.map((user) => [user.id, user]));
  }

  /** The hash of a new password of this person. @throws 422 by pointer `/password` */
  async prepareNewPassword(email: string, password: string): Promise<string> {
    validateBody(NewPasswordDto, { password });
    const faults = passwordFaults(password, email);
    if (faults.length > 0) throw validationFailed(faults);
    return this.passwords.hash(password);
  }

  /** Gives somebody another name (`UserNameDto`). @throws 422 by pointer `/name` */
  async rename(id: string, body: unknown): Promise<void> {
    const { name } = validateBody(UserNameDto, tidied(body));
    await this.users.update({ id }, { name, updatedAt: new Date() });
  }

  /** False, and nothing written, where the password is another one by now than when `user` was read. */
  async setPassword(tx: Tx, user: Credentials, passwordHash: string): Promise<boolean> {
    const changes = { passwordHash, updatedAt: new Date() };
    const { affected } = await managerOf(tx).update(User, asRead(user), changes);
    return affected === 1;
  }

  /**
   * Whether the password is still the one that `user` was read with; if so, it stays until the transaction ends. Whoever
   * lets somebody in by a password asks this: to verify it takes a while, in which it may have been changed.
   */
  async holdPassword(tx: Tx, user: Credentials): Promise<boolean> {
    // What is shared keeps changes out, but not others who sign in.
    const lock = { mode: 'pessimistic_read' } as const;
    return (await managerOf(tx).findOne(User, { where: asRead(user), lock })) !== null;
  }
}

function asRead({ id, passwordHash }: Credentials): Credentials {
  return { id, passwordHash };
}

function tidied(body: unknown): ReturnType<typeof readObject> {
  const { name, email, ...rest } = readObject(body);
  return {
    ...rest,
    ...(name !== undefined && { name: typeof name === 'string' ? name.trim() : name }),
    ...(email !== undefined && { email: typeof email === 'string' ? emailOf(email) : email }),
  };
}
