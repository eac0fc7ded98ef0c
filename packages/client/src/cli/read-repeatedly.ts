import { ParleyError } from '../errors';
import { pause } from '../pause';
import { computePause, isTransient } from '../retries';
import type { Output } from './output';

/** Reads a state again and again. After the first answer, a server that does not answer is waited for. */
export async function* readRepeatedly<State>(
  read: () => Promise<State>,
  pauseMs: number,
  output: Pick<Output, 'note'>,
): AsyncGenerator<State, never, undefined> {
  let hasRead = false;
  for (let failures = 0; ;) {
    let state: State;
    try {
      state = await read();
    } catch (error) {
      if (!hasRead || !(error instanceof ParleyError && isTransient(error))) throw error;
      if (failures === 0) output.note(`${error.message}. Trying again …`);
      await pause(Math.max(pauseMs, computePause(error, failures)));
      failures += 1;
      continue;
    }
    hasRead = true;
    failures = 0;
    yield state;
    await pause(pauseMs);
  }
}
