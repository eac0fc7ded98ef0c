import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { LaunchError } from './launch-error.cjs';
import { root } from './root.mjs';
import { onShutdown } from './shutdown.mjs';

/** Runs a program in the project's root, quietly; what it said is told when it fails. */
export function runQuietly(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const forget = onShutdown(() => child.kill());
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      forget();
      if (code === 0) resolve();
      else
        reject(
          new LaunchError(
            `${said.trim()}\n\n${[basename(program), ...args].join(' ')} failed (${signal ?? `exit code ${code}`}).`,
          ),
        );
    });
  });
}
