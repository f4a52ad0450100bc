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

/** The details of a person that others may see. */
export type UserSummary = Pick<User, 'id' | 'name' | 'email'>;

/** A person who is not stored yet, with the slow work (the password hash) already done. */
export type PreparedUser = Omit<User, 'createdAt' | 'updatedAt'>;

/** The person whose password was verified, and the hash it was verified against. */
type Credentials = Pick<User, 'id' | 'passwordHash'>;

/** The people of the installation. */
@Injectable()
export class UsersService {
  /** Cached once true, because people are never deleted. */
  private known = false;

  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly passwords: PasswordsService,
  ) {}

  /** Returns whether any account exists. */
  async any(): Promise<boolean> {
    return (this.known ||= await this.users.exists());
  }

  /** Returns how many accounts the transaction sees. */
  count(tx: Tx): Promise<number> {
    return managerOf(tx).count(User);
  }

  /** Validates a new person (`NewUserDto`) and hashes the password. @throws 422 with all errors at once */
  async prepare(body: unknown): Promise<PreparedUser> {
    const { instance, errors } = inspectBody(NewUserDto, tidied(body));
    const { name, email, password } = instance;
    if (errors.length === 0) errors.push(...passwordFaults(password, email));
    if (errors.length > 0) throw validationFailed(errors);
    return { id: uuidv7(), name, email, passwordHash: await this.passwords.hash(password) };
  }

  /** Stores a prepared person. @throws 422 if the email is taken */
  async insert(tx: Tx, user: PreparedUser): Promise<void> {
    try {
      await managerOf(tx).insert(User, user);
    } catch (error) {
      if (!isUniqueViolation(error, 'users_email')) throw error;
      const detail = 'An account with this email already exists. Sign in with it instead.';
      throw validationFailed([{ pointer: '/email', code: 'duplicate', detail }]);
    }
  }

  /**
   * Returns the person with this email and password; null for an unknown email or a wrong password, after the same
   * time.
   * @throws 429 as `PasswordsService.check`
   */
  async authenticate(email: string, password: string, address: string): Promise<User | null> {
    const user = await this.ofEmail(email);
    return (await this.passwords.check(user?.passwordHash ?? null, password, address)) ? user : null;
  }

  /** Returns the person with this id; null if there is none. */
  async find(id: string): Promise<UserSummary | null> {
    return this.users.findOne({ where: { id }, select: { id: true, name: true, email: true } });
  }

  /** Returns the person with this email; null if there is none. */
  async findByEmail(email: string): Promise<UserSummary | null> {
    const user = await this.ofEmail(email);
    return user && { id: user.id, name: user.name, email: user.email };
  }

  /** Returns the people with these ids, by id. */
  async byId(ids: readonly string[]): Promise<ReadonlyMap<string, UserSummary>> {
    if (ids.length === 0) return new Map();
    const found = await this.users.find({
      where: { id: In([...ids]) },
      select: { id: true, name: true, email: true },
    });
    return new Map(found.map((user) => [user.id, user]));
  }

  /** Validates a new password for this person and returns its hash. @throws 422 by pointer `/password` */
  async prepareNewPassword(email: string, password: string): Promise<string> {
    validateBody(NewPasswordDto, { password });
    const faults = passwordFaults(password, email);
    if (faults.length > 0) throw validationFailed(faults);
    return this.passwords.hash(password);
  }

  /** Renames a person (`UserNameDto`). @throws 422 by pointer `/name` */
  async rename(id: string, body: unknown): Promise<void> {
    const { name } = validateBody(UserNameDto, tidied(body));
    await this.users.update({ id }, { name, updatedAt: new Date() });
  }

  /** Sets a password. Returns false, without writing, if the password has changed since `user` was read. */
  async setPassword(tx: Tx, user: Credentials, passwordHash: string): Promise<boolean> {
    const changes = { passwordHash, updatedAt: new Date() };
    const { affected } = await managerOf(tx).update(User, asRead(user), changes);
    return affected === 1;
  }

  /** Sets a password, whatever it was before. */
  async replacePassword(tx: Tx, id: string, passwordHash: string): Promise<void> {
    await managerOf(tx).update(User, { id }, { passwordHash, updatedAt: new Date() });
  }

  /** Makes other transactions that lock the same person wait until this one ends. */
  async lock(tx: Tx, id: string): Promise<void> {
    await managerOf(tx).findOne(User, { where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /**
   * Returns whether the password has not changed since `user` was read; if so, it cannot change until the transaction
   * ends. Call this before signing a person in: verifying a password takes a while, in which it may be changed.
   */
  async holdPassword(tx: Tx, user: Credentials): Promise<boolean> {
    // A shared lock blocks changes, but not other sign-ins.
    const lock = { mode: 'pessimistic_read' } as const;
    return (await managerOf(tx).findOne(User, { where: asRead(user), lock })) !== null;
  }

  private async ofEmail(email: string): Promise<User | null> {
    // PostgreSQL does not accept NUL, so no stored email contains one.
    return email.includes('\0') ? null : this.users.findOneBy({ email: emailOf(email) });
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
