import type { Gate } from './gate';
import { Hello } from './hello';
import type { Problems } from './problems';
import type { Transport } from './transport';

/** @returns the body of the first hello */
async function say(prepare: (hello: Hello) => void): Promise<unknown> {
  const bodies: unknown[] = [];
  const publish = ({ body }: { body: unknown }) => Promise.resolve(void bodies.push(body));
  const hello = new Hello({
    transport: { publish } as unknown as Transport,
    ...{
      exchange: 'voice.events',
      workerId: 'one',
      name: 'worker',
      version: '1',
      capacity: 2,
      calls: () => 1,
    },
  });
  prepare(hello);
  const gate = { passed: () => Promise.resolve() } as unknown as Gate;
  const problems = { solved: () => undefined } as unknown as Problems;
  await hello.sayFirst(gate, problems, new AbortController().signal);
  return bodies[0];
}

const BODY = { worker_id: 'one', name: 'worker', version: '1', capacity: 2, calls: 1 };

test('a hello has the providers that the worker has shown, and is as before without them', async () => {
  const providers = [
    {
      ...{
        part: 'language' as const,
        name: 'openai',
        state: 'ok' as const,
        since: '2026-01-31T09:30:00.000Z',
      },
      ...{ p95_ms: 412, requests: 7, failures: 0 },
    },
  ];
  expect(await say((hello) => (hello.providers = providers))).toEqual({ ...BODY, providers });
  expect(await say(() => undefined)).toEqual(BODY);
});
