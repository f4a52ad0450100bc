import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A person who can sign in. Their permissions come from their memberships. */
@Entity('users')
export class User {
  @PrimaryColumn('uuid')
  id: string;

  /** Trimmed and in lower case. */
  @Index('users_email', { unique: true })
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  /** Argon2id, in the PHC string format, which includes the parameters. */
  @Column('text')
  passwordHash: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
