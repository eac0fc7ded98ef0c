import { createInterface } from 'node:readline';
import type { SimulatedRuntime } from './simulated-runtime';

/**
 * Takes calls that lines of the standard input announce: `incoming +TO +FROM answers 3`.
 * @returns a function that stops reading
 */
export function takeAnnouncedCalls(runtime: SimulatedRuntime): () => void {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const [command, to_number = '', from_number = '', ...callee] = line.split(' ');
    if (command !== 'incoming') return;
    void runtime.receive({ to_number, from_number, dynamic_variables: { callee: callee.join(' ') } });
  });
  return () => {
    lines.close();
    process.stdin.destroy();
  };
}
