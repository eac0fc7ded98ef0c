import { ParleyError } from '../errors';
import { readRepeatedly } from './read-repeatedly';

const failure = (status: number, code: string, retryAfter?: number) =>
  new ParleyError({ status, code, message: 'The server is away', retryAfter });

const AWAY = failure(0, 'CONNECTION_FAILED');
const GATEWAY = failure(502, 'INVALID_RESPONSE');
const LIMITED = failure(429, 'RATE_LIMITED', 0);

/** Reads these answers until the last. @returns the states, and the notes for the user */
async function watch(answers: (string | ParleyError)[]) {
  const rest = [...answers];
  const notes: string[] = [];
  const states: string[] = [];
  const read = () => {
    const answer = rest.shift();
    return answer instanceof ParleyError ? Promise.reject(answer) : Promise.resolve(answer as string);
  };
  for await (const state of readRepeatedly(read, 1, { note: (text) => notes.push(text) })) {
    states.push(state);
    if (rest.length === 0) break;
  }
  return { states, notes };
}

describe('A command that watches', () => {
  test('goes on after the server was away, and says so once', async () => {
    expect(await watch(['running', AWAY, GATEWAY, LIMITED, 'running', LIMITED, 'completed'])).toEqual({
      states: ['running', 'running', 'completed'],
      notes: ['The server is away. Trying again …', 'The server is away. Trying again …'],
    });
  });

  test('ends if the first reading fails, or what it watches is gone', async () => {
    await expect(watch([AWAY, 'running'])).rejects.toBe(AWAY);
    const gone = failure(404, 'CALL_NOT_FOUND');
    await expect(watch(['running', gone, 'running'])).rejects.toBe(gone);
  });
});
