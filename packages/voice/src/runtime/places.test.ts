import { createWorker } from '@parley/worker';
import { exampleCall } from '../../../worker/src/example-call';
import { FakeTransport } from '../../../worker/src/fake-transport';
import { isFull } from './places';

test('a call that comes in takes one place: while the server is asked, while its handler prepares the answer, and in the call', async () => {
  const transport = new FakeTransport(exampleCall(), undefined, () => undefined);
  let begin = () => undefined as void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let end = () => undefined as void;
  const over = new Promise<void>((resolve) => (end = resolve));
  const logger = { ...console, info: () => undefined };
  const handled: string[] = [];
  const worker = createWorker({ transport, capacity: 2, logger }, async ({ id }) => {
    handled.push(id);
    begin();
    await over;
  });
  const isFullWith = (asked: number) => isFull(worker, 2, asked);
  expect(isFullWith(0)).toBe(true);
  const isRunning = new Promise<void>((resolve) =>
    worker.on('state', (state) => {
      if (state === 'running') resolve();
    }),
  );
  const stopped = worker.run();
  await isRunning;

  expect(isFullWith(1)).toBe(false);
  expect(isFullWith(2)).toBe(true);
  const accepted: string[] = [];
  const ended = worker.incoming(
    { to_number: '+15550100000', from_number: '', external_id: 'call-1' },
    { accepted: (id) => void accepted.push(id) },
  );
  await begun;
  expect(accepted).toEqual(handled);
  expect(isFullWith(0)).toBe(false);
  expect(isFullWith(1)).toBe(true);
  end();
  await ended;
  expect(isFullWith(1)).toBe(false);
  expect(isFullWith(2)).toBe(true);
  await worker.stop();
  await stopped;
});
