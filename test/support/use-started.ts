/** Starts something before the tests of a file or group, and stops it after them. */
export function useStarted<Started extends { stop: () => Promise<unknown> }>(
  start: () => Promise<Started>,
  stop: (started: Started) => unknown = (started) => started.stop(),
): Started {
  let started: Started | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    if (started) await stop(started);
  });
  return new Proxy({} as Started, {
    get: (_, property) => {
      const value: unknown = Reflect.get(started as Started, property, started);
      return typeof value === 'function' ? (value.bind(started) as unknown) : value;
    },
  });
}
