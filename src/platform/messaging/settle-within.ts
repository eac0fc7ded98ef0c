import { setTimeout as pause } from 'node:timers/promises';

/** Resolves when the promise has settled, fulfilled or rejected, or after `ms`. */
export async function settleWithin(ms: number, promise: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const settled = promise.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([settled, pause(ms, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}

/** Waits for an answer of the broker. @throws the error of the request, or one after `ms` */
export async function answerWithin<Answer>(ms: number, request: Promise<Answer>): Promise<Answer> {
  const timer = new AbortController();
  const late = pause(ms, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`The broker did not answer within ${ms} ms.`);
  });
  try {
    return await Promise.race([request, late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
}
