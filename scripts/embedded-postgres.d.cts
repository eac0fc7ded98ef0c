/** A private Postgres server. */
export interface EmbeddedPostgres {
  /** With its password. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Whether it had been left running. */
  readonly adopted: boolean;
  isRunning(): boolean;
  stop(): Promise<void>;
}

export function startEmbeddedPostgres(options: {
  folder: string;
  settings?: Record<string, string | number>;
  port?: number;
}): Promise<EmbeddedPostgres>;
