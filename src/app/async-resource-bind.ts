import { AsyncResource } from 'node:async_hooks';

type Bind = <Args extends unknown[]>(
  this: AsyncResource,
  run: (this: unknown, ...args: Args) => unknown,
  thisArg?: unknown,
) => (this: unknown, ...args: Args) => unknown;

const bind: Bind = function (run, thisArg) {
  const runInScope = this.runInAsyncScope.bind(this);
  return function (...args) {
    return runInScope(run, thisArg ?? this, ...args);
  };
};

/**
 * Replaces `AsyncResource.prototype.bind` by one whose functions have no accessor `asyncResource` (DEP0172), with which
 * V8 keeps the whole request in memory until the next major garbage collection: Nest binds two functions for each
 * request. Needed before Node.js 25.
 */
export function replaceAsyncResourceBind(): void {
  Object.assign(AsyncResource.prototype, { bind });
}
