import type { Parley } from '../parley';
import { type Config } from './config-file';
import { connect, findAccess } from './connect';
import { Output } from './output';

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
    return connect(await this.access());
  }
}
