export class AliveDto {
  /** @example "ok" */
  status: 'ok';
}

/** One part of the service. */
export class PartDto {
  /** @example "database" */
  name: string;
  /**
   * `failing`: requests fail for it. `warning`: they are served, and `detail` says what is wrong.
   * @example "ok"
   */
  status: 'ok' | 'warning' | 'failing';
  /**
   * What an operator should know of it; null where there is nothing.
   * @example null
   */
  detail: string | null;
}

export class ReadyDto {
  /** @example "ok" */
  status: 'ok' | 'failing';
  parts: PartDto[];
}
