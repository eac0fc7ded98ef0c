import { longestGap, must, mustEndWith, type Scenario } from '../scenario';

/** The time in which a runtime must connect again. */
const RECONNECT_SECONDS = 30;

/** The time is twice the interval of heartbeats, and the time in which a connection is set up. */
const LATE_MS = 4_000;

/** A call may be claimed while the end of the one before is on its way. */
const REPORT_MS = 1_000;

export const faultScenarios: Scenario[] = [
  {
    id: 'events.resent-until-confirmed',
    suite: 'faults',
    level: 'MUST',
    rule: 'A worker keeps each event until RabbitMQ has confirmed it, and sends it again if it is not.',
    async run(stage) {
      const { server, proxy } = stage;
      const id = server.offer({ callee: 'answers 2' });
      await stage.event(id, 'call.connected.v1', 15);
      proxy.freeze();
      await stage.pause(4); // The call ends, and its report cannot be delivered.
      must(!stage.findEnd(id), 'The connection of the runtime did not pass the proxy.');
      proxy.cut();
      mustEndWith(await stage.end(id, RECONNECT_SECONDS), 'call.ended.v1', 'user_hangup', 'user');
    },
  },
  {
    id: 'broker.connection-cut',
    suite: 'faults',
    level: 'MUST',
    rule: 'A worker that was disconnected continues its call and its heartbeats, and reports the end when it can.',
    async run(stage) {
      const { server, proxy } = stage;
      const id = server.offer({ callee: 'answers 8' });
      await stage.event(id, 'call.connected.v1', 15);
      proxy.cut();
      const end = await stage.end(id, 8 + RECONNECT_SECONDS);
      mustEndWith(end, 'call.ended.v1', 'user_hangup', 'user');
      const back = proxy.connectedAt;
      const heartbeats = server.findEvents(id, 'call.heartbeat.v1').map(({ at }) => at);
      const gap = longestGap([back, ...heartbeats.filter((at) => at > back && at < end.at), end.at]);
      must(gap <= LATE_MS, `There was no heartbeat for ${gap} ms after the runtime was connected again.`);
      await stage.end(server.offer(), RECONNECT_SECONDS);
    },
  },
  {
    id: 'broker.restarted',
    suite: 'faults',
    level: 'MUST',
    rule: 'A worker connects again after RabbitMQ was away, reports what happened meanwhile, and takes calls.',
    async run(stage) {
      const { server, proxy } = stage;
      const id = server.offer({ callee: 'answers 2' });
      await stage.event(id, 'call.connected.v1', 15);
      await proxy.close();
      await stage.pause(5);
      await proxy.open();
      mustEndWith(await stage.end(id, RECONNECT_SECONDS), 'call.ended.v1', 'user_hangup', 'user');
      await stage.end(server.offer(), RECONNECT_SECONDS);
    },
  },
  {
    id: 'drain.on-sigterm',
    suite: 'faults',
    level: 'MUST',
    rule: 'On SIGTERM a worker takes no more calls, lets its calls end, and reports each call that it must cut as error by system.',
    capacity: 2,
    // A call of three seconds must be able to end within them, also on a busy machine.
    drainSeconds: 10,
    async run(stage) {
      const { server, command } = stage;
      const [short, long] = [server.offer({ callee: 'answers 3' }), server.offer({ callee: 'answers 60' })];
      for (const id of [short, long]) await stage.event(id, 'call.connected.v1', 15);
      command.terminate();
      await stage.until(
        async () => (await server.queue()).consumers === 0,
        5,
        'The runtime went on consuming',
      );
      const further = server.offer();
      mustEndWith(await stage.end(short, 15), 'call.ended.v1', 'user_hangup', 'user');
      await stage.until(() => command.isOver, 20, 'The runtime did not end after SIGTERM');
      const cut = await stage.end(long, 1);
      mustEndWith(cut, 'call.ended.v1', 'error', 'system');
      must(server.findClaims(further).length === 0, 'A call was claimed after SIGTERM.');
    },
  },
  {
    id: 'capacity.kept',
    suite: 'faults',
    level: 'MUST',
    rule: 'A worker claims no more calls than it can have at once.',
    capacity: 2,
    async run(stage) {
      const { server } = stage;
      const ids = [1, 2, 3].map(() => server.offer({ callee: 'answers 4' }));
      const ends = () => ids.map((id) => stage.findEnd(id)).filter((end) => end !== undefined);
      await stage.until(() => ends().length === 3, 40, 'Not all of the calls ended');
      const firstEnd = Math.min(...ends().map(({ at }) => at));
      const early = server.claims.filter(({ at }) => at < firstEnd - REPORT_MS);
      const claimed = new Set(early.map(({ conversationId }) => conversationId)).size;
      must(claimed <= 2, `${claimed} calls were claimed at once by a worker for 2.`);
    },
  },
];
