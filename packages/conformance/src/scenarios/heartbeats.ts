import { longestGap, must, type Scenario } from '../scenario';

/** A heartbeat is late at more than twice its interval. */
const lateMs = (seconds: number) => 2 * seconds * 1_000;

export const heartbeatScenarios: Scenario[] = [
  {
    id: 'heartbeat.in-time',
    suite: 'core',
    level: 'MUST',
    rule: 'A worker sends a heartbeat every heartbeat_seconds of the granted claim, until the call ends.',
    capacity: 2,
    async run(stage) {
      const { server } = stage;
      const intervals = [1, 3].map((seconds) => ({ seconds, id: server.offer({ callee: 'answers 9' }) }));
      server.policy = (claim) => {
        const interval = intervals.find(({ id }) => id === claim.conversationId);
        server.lease = { ...server.lease, heartbeat_seconds: interval?.seconds ?? 1 };
        return server.grantOnce(claim);
      };
      for (const { seconds, id } of intervals) {
        const connected = await stage.event(id, 'call.connected.v1', 15);
        const end = await stage.end(id, 25);
        const heartbeats = server.findEvents(id, 'call.heartbeat.v1').map(({ at }) => at);
        const during = heartbeats.filter((at) => at > connected.at && at < end.at);
        must(during.length > 0, `No heartbeat was sent during a call of 9 s; one is due every ${seconds} s.`);
        const gap = longestGap([connected.at, ...during, end.at]);
        must(gap <= lateMs(seconds), `There was no heartbeat for ${gap} ms; one is due every ${seconds} s.`);
        const most = Math.ceil((2 * (end.at - connected.at)) / 1_000 / seconds);
        must(
          during.length <= most,
          `${during.length} heartbeats were sent in ${end.at - connected.at} ms; one is due every ${seconds} s.`,
        );
      }
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
      const heartbeats = server.findEvents(id, 'call.heartbeat.v1').map(({ at }) => at);
      must(heartbeats.length > 0, 'No heartbeat was sent while the phone rang for 5 s.');
      const gap = longestGap([answered, ...heartbeats.filter((at) => at < end.at), end.at]);
      must(gap <= lateMs(1), `There was no heartbeat for ${gap} ms while it rang.`);
    },
  },
];
