import type { Schemas } from '../../api/client';
import type { Problem } from '../../components/problem-list';
import { texts } from '../../texts';

type Queue = Schemas['RuntimeQueueDto'];

const { problems } = texts.runtimes;

/** Runtimes consume the queues of calls, the server the others. */
export const isOfCalls = ({ name }: Queue) => name.startsWith('voice.calls.');

/** What is wrong between the server and its runtimes. */
export function runtimeProblems({ broker, queues, dead }: Schemas['RuntimesDto']): Problem[] {
  const found: Problem[] = [];
  if (broker.state === 'down')
    found.push({ text: problems.brokerDown, advice: problems.brokerDownAdvice, isBad: true });
  for (const queue of queues.filter(({ consumers }) => consumers === 0)) {
    found.push(
      isOfCalls(queue)
        ? { text: problems.nobody, advice: problems.nobodyAdvice(queue.name), isBad: true }
        : { text: problems.server(queue.name), advice: problems.serverAdvice, isBad: true },
    );
  }
  if (dead.calls)
    found.push({
      text: problems.deadCalls(dead.calls),
      advice: problems.deadCallsAdvice,
      isBad: false,
      href: '/calls?status=failed',
      link: problems.failedCalls,
    });
  if (dead.events)
    found.push({ text: problems.deadEvents(dead.events), advice: problems.deadEventsAdvice, isBad: false });
  return found;
}
