import { CommanderError, InvalidArgumentError } from 'commander';
import { ArgumentError } from '../argument-error';
import { ParleyError } from '../errors';
import { Cli, type Surroundings } from './cli';
import { CommandFailed, describeFailure, UsageError } from './errors';
import { createProgram } from './program';

const FAILED = 1;
const USED_WRONGLY = 2;

/** Runs a command. @returns its exit status */
export async function run(words: string[], surroundings: Surroundings): Promise<number> {
  const cli = new Cli(surroundings);
  try {
    await createProgram(cli).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    return explain(error, (text) => cli.output.note(text));
  }
}

function explain(error: unknown, note: (text: string) => void): number {
  // Commander has printed its message, or the help that was asked for.
  if (error instanceof CommanderError && !(error instanceof InvalidArgumentError)) {
    return error.exitCode === 0 ? 0 : USED_WRONGLY;
  }
  if (error instanceof ParleyError) {
    describeFailure(error).forEach((line) => note(line));
    return FAILED;
  }
  if (error instanceof CommandFailed) {
    [error.message, ...error.details].forEach((line) => note(line));
    return FAILED;
  }
  // The client refuses what cannot be sent, such as an empty id.
  if (
    error instanceof UsageError ||
    error instanceof InvalidArgumentError ||
    error instanceof ArgumentError
  ) {
    const details = error instanceof UsageError ? error.details : [];
    [error.message, ...details].forEach((line) => note(line));
    return USED_WRONGLY;
  }
  throw error;
}
