import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { replaceAsyncResourceBind } from './async-resource-bind';

describe('A function that is bound to an asynchronous context', () => {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is put back, not called
  const original = AsyncResource.prototype.bind;

  beforeAll(replaceAsyncResourceBind);
  afterAll(() => Object.assign(AsyncResource.prototype, { bind: original }));

  it('runs in the context in which it was bound', () => {
    const storage = new AsyncLocalStorage<string>();
    const read = storage.run('bound', () => AsyncResource.bind(() => storage.getStore()));

    expect(storage.run('called', read)).toBe('bound');
  });

  it('gets its receiver and its arguments, and its result is returned', () => {
    const account = {
      balance: 1,
      add: AsyncResource.bind(function (this: unknown, first: number, second: number) {
        return (this as { balance: number }).balance + first + second;
      }),
    };

    expect(account.add(2, 3)).toBe(6);
  });

  it('has no accessor of its own', () => {
    expect(AsyncResource.bind(() => 1)).not.toHaveProperty('asyncResource');
  });
});
