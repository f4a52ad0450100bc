import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { type OperationErrorDto } from './dto/operation.dto.js';
import { Operation } from './operation.entity.js';

/**
 * One monitor of an operation. Its result is written in the transaction of its change, so that the change is made once.
 * Monitors are referenced without foreign keys, so that results outlive them.
 */
@Entity('operation_items')
export class OperationItem {
  @PrimaryColumn('uuid')
  operationId: string;

  /** The position in the order of processing, from 1: by ascending monitor id. */
  @PrimaryColumn('integer')
  place: number;

  @ManyToOne(() => Operation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'operation_id' })
  operation?: Operation;

  /** The id of the monitor; the address as sent if there was no such monitor. */
  @Column('text')
  address: string;

  @Column('text', { nullable: true })
  name: string | null;

  /** `null` until the monitor has been processed. */
  @Column('text', { nullable: true })
  status: string | null;

  @Column('jsonb', { nullable: true })
  error: OperationErrorDto | null;
}
