import { DatabaseError } from 'pg';
import { type BatcherOptions, StatementBatcher } from './statement-batcher';

/** Records the batches; each one ends when the test says so. */
function recorded(options?: BatcherOptions) {
  const batches: { items: string[]; end: (error?: Error) => void }[] = [];
  const batcher = new StatementBatcher<string, string>(
    (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(items.map((item) => `${item}!`)));
        batches.push({ items, end });
      }),
    options,
  );
  return { batcher, batches, listItems: () => batches.map(({ items }) => items.join(' ')) };
}

const immediate = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('StatementBatcher', () => {
  test('runs a single item at once', async () => {
    const { batcher, batches, listItems } = recorded();
    const result = batcher.add('a', 'a1');
    await immediate();
    expect(listItems()).toEqual(['a1']);
    batches[0]?.end();
    await expect(result).resolves.toBe('a1!');
  });

  test('collects what arrives while its statements are in progress', async () => {
    const { batcher, batches, listItems } = recorded({ maxRunning: 1 });
    const first = batcher.add('a', 'a1');
    await immediate();
    const rest = [batcher.add('b', 'b1'), batcher.add('c', 'c1')];
    await immediate();
    expect(listItems()).toEqual(['a1']);
    batches[0]?.end();
    await first;
    await immediate();
    expect(listItems()).toEqual(['a1', 'b1 c1']);
    batches[1]?.end();
    await expect(Promise.all(rest)).resolves.toEqual(['b1!', 'c1!']);
  });

  test('lets the keys take turns', async () => {
    const { batcher, listItems } = recorded({ maxItems: 4, maxRunning: 1 });
    for (const item of ['a1', 'a2', 'a3', 'a4']) void batcher.add('a', item);
    for (const key of ['b', 'c']) void batcher.add(key, `${key}1`);
    await immediate();
    expect(listItems()).toEqual(['a1 b1 c1 a2']);
  });

  test('has the items of one key in one statement at a time', async () => {
    const { batcher, batches, listItems } = recorded();
    void batcher.add('a', 'a1');
    await immediate();
    void batcher.add('a', 'a2');
    void batcher.add('b', 'b1');
    await immediate();
    expect(listItems()).toEqual(['a1', 'b1']);
    batches[0]?.end();
    await immediate();
    expect(listItems()).toEqual(['a1', 'b1', 'a2']);
  });

  test('limits the items of one key in a statement', async () => {
    const { batcher, listItems } = recorded({ maxItemsOfKey: 1, maxRunning: 1 });
    void batcher.add('a', 'a1');
    void batcher.add('a', 'a2');
    await immediate();
    expect(listItems()).toEqual(['a1']);
  });

  test('limits the keys and the weight of a statement', async () => {
    const { batcher, listItems } = recorded({ maxKeys: 2, maxWeight: 10, maxRunning: 2 });
    void batcher.add('a', 'a1', 4);
    void batcher.add('a', 'a2', 4);
    void batcher.add('b', 'b1', 4);
    void batcher.add('c', 'c1', 40);
    await immediate();
    expect(listItems()).toEqual(['a1 b1', 'c1']);
  });

  test('refuses items that have waited too long, before the next statement', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { batcher, batches, listItems } = recorded({ maxRunning: 1 });
    void batcher.add('a', 'a1');
    await immediate();
    const late = batcher.add('b', 'b1');
    now.mockReturnValue(3_000);
    const inTime = batcher.add('b', 'b2');
    now.mockReturnValue(5_001);
    batches[0]?.end();
    await expect(late).rejects.toMatchObject({ body: { error_code: 'DATABASE_BUSY' } });
    batches[1]?.end();
    await expect(inTime).resolves.toBe('b2!');
    expect(listItems()).toEqual(['a1', 'b2']);
    now.mockRestore();
  });

  test('refuses only the item that Postgres refuses', async () => {
    const refusal = Object.assign(new DatabaseError('refused', 1, 'error'), { code: '23514' });
    const batcher = new StatementBatcher<string, string>((items) => {
      if (items.includes('bad')) return Promise.reject(refusal);
      return Promise.resolve(items);
    });
    const outcomes = await Promise.allSettled(
      ['one', 'two', 'bad', 'three', 'four'].map((item) => batcher.add(item, item)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  });

  test('repeats nothing after a lost connection', async () => {
    const { batcher, batches, listItems } = recorded();
    const results = Promise.allSettled([batcher.add('a', 'a1'), batcher.add('b', 'b1')]);
    await immediate();
    batches[0]?.end(new Error('Connection terminated'));
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(listItems()).toEqual(['a1 b1']);
  });
});
