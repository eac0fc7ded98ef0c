import type { Parley } from '../parley';
import { type Config } from './config-file';
import { connect, findAccess, readTimeLimit } from './connect';
import { Output } from './output';

/** Long enough for a file of the largest size over a slow connection. */
const UPLOAD_MS = 10 * 60_000;

/** The streams and the environment of a run. */
export interface Surroundings {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
}

/** The connection and the output of the commands. */
export class Cli {
  readonly output: Output;

  constructor(readonly surroundings: Surroundings) {
    this.output = new Output(surroundings.stdout, surroundings.stderr);
  }

  access(): Promise<Config> {
    return findAccess(this.surroundings.env);
  }

  async connect(): Promise<Parley> {
    return connect(await this.access(), this.timeLimit());
  }

  /** The time limit of each attempt, if the user gives one. */
  timeLimit(): { timeoutMs?: number } {
    return readTimeLimit(this.surroundings.env);
  }

  /** The time limit of each attempt to send a file. */
  uploadLimit(): { timeoutMs: number } {
    return { timeoutMs: UPLOAD_MS, ...this.timeLimit() };
  }
}
