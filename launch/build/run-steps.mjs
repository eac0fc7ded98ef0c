import { spawnSync } from 'node:child_process';
import { root } from '../process/root.mjs';

/** Runs the commands that the arguments name, or all of them, until one fails. @param steps commands by name */
export function runSteps(steps) {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !(name in steps));
  if (unknown !== undefined) {
    console.error(`There is no ${unknown}. There are: ${Object.keys(steps).join(', ')}`);
    process.exit(2);
  }
  for (const name of names.length > 0 ? names : Object.keys(steps)) {
    const { status } = spawnSync(steps[name], { shell: true, stdio: 'inherit', cwd: root });
    if (status !== 0) process.exit(status ?? 1);
  }
}
