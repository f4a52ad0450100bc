export class AliveDto {
  /** @example "ok" */
  status: 'ok';
}

/** One part of the service. */
export class PartDto {
  /** @example "database" */
  name: string;
  /** @example "ok" */
  status: 'ok' | 'failing';
}

export class ReadyDto {
  /** @example "ok" */
  status: 'ok' | 'failing';
  parts: PartDto[];
}
