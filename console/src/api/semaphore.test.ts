import { Semaphore } from './semaphore';

/** Begins tasks, each of which ends when its function is called. */
function begin(semaphore: Semaphore, names: string[]) {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const results = names.map((name) =>
    semaphore.run(() => {
      begun.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (error) => (error ? reject(error) : resolve(name))),
      );
    }),
  );
  return { begun, results, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

describe('Requests behind a semaphore', () => {
  test('run two at once, in their order, and go on after a failure', async () => {
    const { begun, results, end } = begin(new Semaphore(2), ['one', 'two', 'three', 'four']);
    expect(begun).toEqual(['one', 'two']);
    end('two', new Error('refused'));
    await expect(results[1]).rejects.toThrow('refused');
    expect(begun).toEqual(['one', 'two', 'three']);
    end('one');
    await results[0];
    expect(begun).toEqual(['one', 'two', 'three', 'four']);
    end('three');
    end('four');
    expect(await Promise.all(results.slice(2))).toEqual(['three', 'four']);
  });

  test('begin at once after all others have ended', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.run(() => Promise.resolve());
    const { begun, end, results } = begin(semaphore, ['next']);
    expect(begun).toEqual(['next']);
    end('next');
    await results[0];
  });
});
