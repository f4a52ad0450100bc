export class AliveDto {
  /** @example "ok" */
  status: 'ok';
}

/** One part of the service. */
export class PartDto {
  /** @example "database" */
  name: string;
  /**
   * `failing`: requests fail because of this part. `warning`: requests are served, and `detail` describes the problem.
   * @example "ok"
   */
  status: 'ok' | 'warning' | 'failing';
  /**
   * Information for the operator; null if there is none.
   * @example null
   */
  detail: string | null;
}

export class ReadyDto {
  /** @example "ok" */
  status: 'ok' | 'failing';
  parts: PartDto[];
}
