import type { Schemas } from '../api/client';
import type { Problem } from '../ui/problem-list';
import { texts } from '../texts';

type Queue = Schemas['RuntimeQueueDto'];

const { problems } = texts.runtimes;

/** Whether runtimes consume a queue. The server consumes the other queues. */
export const isOfCalls = ({ name }: Queue) => name.endsWith('.calls.default');

/** The problems between the server and its runtimes. */
export function runtimeProblems({ broker, queues }: Schemas['RuntimesDto']): Problem[] {
  const found: Problem[] = [];
  if (broker.state === 'down')
    found.push({ text: problems.brokerDown, advice: problems.brokerDownAdvice, isBad: true });
  for (const queue of queues.filter(({ consumers }) => consumers === 0)) {
    found.push(
      isOfCalls(queue)
        ? { text: problems.noRuntime, advice: problems.noRuntimeAdvice(queue.name), isBad: true }
        : { text: problems.server(queue.name), advice: problems.serverAdvice, isBad: true },
    );
  }
  return found;
}
