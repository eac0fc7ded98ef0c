/** A private Postgres server. */
export interface EmbeddedPostgres {
  /** Includes the password. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Whether it was already running. */
  readonly adopted: boolean;
  isRunning(): boolean;
  stop(): Promise<void>;
}

export function startEmbeddedPostgres(options: {
  folder: string;
  settings?: Record<string, string | number>;
  port?: number;
}): Promise<EmbeddedPostgres>;
