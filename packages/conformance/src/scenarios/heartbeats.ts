import { must, type Scenario } from '../scenario';

const HEARTBEAT_SECONDS = 1;
/** A heartbeat is late at more than twice its interval. */
const LATE_MS = 2 * HEARTBEAT_SECONDS * 1_000;

/** The longest time without a sign of life between these moments, in milliseconds. */
function longestGap(moments: number[]): number {
  const inOrder = [...moments].sort((one, other) => one - other);
  return Math.max(0, ...inOrder.slice(1).map((at, index) => at - (inOrder[index] as number)));
}

export const heartbeatScenarios: Scenario[] = [
  {
    id: 'heartbeat.in-time',
    suite: 'core',
    level: 'MUST',
    rule: 'A worker sends a heartbeat every heartbeat_seconds of the granted claim, until the call ends.',
    async run(stage) {
      const { server } = stage;
      const id = server.offer({ callee: 'answers 6' });
      const connected = await stage.event(id, 'call.connected.v1', 15);
      const end = await stage.end(id, 20);
      const heartbeats = server.eventsOf(id, 'call.heartbeat.v1').map(({ at }) => at);
      const during = heartbeats.filter((at) => at > connected.at && at < end.at);
      must(during.length > 0, 'No heartbeat was sent during a call of 6 s with heartbeats every second.');
      const gap = longestGap([connected.at, ...during, end.at]);
      must(gap <= LATE_MS, `There was no heartbeat for ${gap} ms; one is due every ${HEARTBEAT_SECONDS} s.`);
    },
  },
  {
    id: 'heartbeat.from-the-claim',
    suite: 'core',
    level: 'MUST',
    rule: 'Heartbeats are due from the claim on, also before the call is answered.',
    async run(stage) {
      const { server } = stage;
      const id = server.offer({ callee: 'no_answer' });
      await stage.claim(id);
      const end = await stage.end(id, 20);
      const answered = server.answerTo(id) ?? 0;
      const heartbeats = server.eventsOf(id, 'call.heartbeat.v1').map(({ at }) => at);
      must(heartbeats.length > 0, 'No heartbeat was sent while the phone rang for 5 s.');
      const gap = longestGap([answered, ...heartbeats.filter((at) => at < end.at), end.at]);
      must(gap <= LATE_MS, `There was no heartbeat for ${gap} ms while it rang.`);
    },
  },
];
