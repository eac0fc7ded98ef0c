import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { askSecret } from './ask-secret';
import { UsageError } from './errors';

/** Types these keys at the question. @returns what was entered, and what the terminal shows */
async function enter(keys: string): Promise<[string, string]> {
  const stdin = new PassThrough() as PassThrough & NodeJS.ReadStream;
  const stderr = new PassThrough() as PassThrough & NodeJS.WriteStream;
  stdin.write(keys);
  const entered = await askSecret('API key: ', { stdin, stderr });
  stderr.end();
  return [entered, await text(stderr)];
}

describe('The question for a secret', () => {
  test('gets a line that is not shown', async () => {
    expect(await enter('parley_key\r')).toEqual(['parley_key', 'API key: \n']);
  });

  test('is given up with Ctrl-D', async () => {
    await expect(enter('\u0004')).rejects.toThrow(UsageError);
  });
});
