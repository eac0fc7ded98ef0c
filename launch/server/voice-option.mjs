import { parseArgs } from 'node:util';
import { LaunchError } from '../process/launch-error.cjs';

/** `--line` becomes the setting of the voice runtime that it stands for. */
export function readLineOption(command) {
  try {
    const { values } = parseArgs({ options: { line: { type: 'boolean' } } });
    if (values.line) process.env.VOICE_CARRIER = 'line';
  } catch (error) {
    throw new LaunchError(
      `${error.message}\n\nUsage: npm ${command} [-- --line]\n\n  --line  phone calls reach simulated persons on this machine`,
    );
  }
}
