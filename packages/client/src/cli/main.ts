#!/usr/bin/env node
import { run } from './run';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` may close the pipe before the end.
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit(1);
});

const { stdin, stdout, stderr, env } = process;

void run(process.argv.slice(2), { stdin, stdout, stderr, env }).then((status) => {
  process.exitCode = status;
});
