import { createWorker } from '@parley/worker';
import { exampleCall } from '../../../worker/src/example-call';
import { FakeTransport } from '../../../worker/src/fake-transport';
import { Places } from './places';

test('a call that comes in takes one place: while the server is asked, while its handler prepares the answer, and in the call', async () => {
  const transport = new FakeTransport(exampleCall(), undefined, () => undefined);
  let begin = () => undefined as void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let end = () => undefined as void;
  const over = new Promise<void>((resolve) => (end = resolve));
  const logger = { ...console, info: () => undefined };
  const worker = createWorker({ transport, capacity: 2, logger }, async () => {
    begin();
    await over;
  });
  const places = new Places(worker, 2);
  expect(places.isFull([])).toBe(true);
  const isRunning = new Promise<void>((resolve) =>
    worker.on('state', (state) => {
      if (state === 'running') resolve();
    }),
  );
  const stopped = worker.run();
  await isRunning;

  expect(places.isFull(['call-1'])).toBe(false);
  expect(places.isFull(['call-1', 'call-2'])).toBe(true);
  const ended = worker.incoming({ to_number: '+15550100000', from_number: '', external_id: 'call-1' });
  await begun;
  expect(places.isFull(['call-1'])).toBe(false);
  expect(places.isFull(['call-1', 'call-2'])).toBe(true);
  expect(places.isFull(['call-2'])).toBe(true);
  expect(places.isFull([])).toBe(false);
  end();
  await ended;
  expect(places.isFull(['call-2'])).toBe(false);
  expect(places.isFull(['call-1', 'call-2'])).toBe(true);
  await worker.stop();
  await stopped;
});
