#!/usr/bin/env node
import { run } from './run';

// A reader such as `head` may close the pipe before the end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const { stdin, stdout, stderr, env } = process;

void run(process.argv.slice(2), { stdin, stdout, stderr, env }).then((status) => {
  process.exitCode = status;
});
