import { randomUUID } from 'node:crypto';
import { must, mustEndWith, type Scenario } from '../scenario';
import { grantFirst, refuse } from '../server';

export const messageScenarios: Scenario[] = [
  {
    id: 'message.doubled',
    suite: 'core',
    level: 'MUST',
    rule: 'A call start that arrives twice is dialled once.',
    capacity: 2,
    async run(stage) {
      const { server } = stage;
      const id = server.offer({ callee: 'answers 2' });
      server.offer({ conversationId: id, callee: 'answers 2' });
      await stage.end(id, 20);
      await stage.claim(id, 2);
      await stage.pause(4);
      for (const type of ['call.connected.v1', 'call.ended.v1']) {
        const count = server.findEvents(id, type).length;
        must(count === 1, `${type} was sent ${count} times for one call that was offered twice.`);
      }
    },
  },
  {
    id: 'message.late',
    suite: 'core',
    level: 'MUST',
    rule: 'A call start that arrives after its expires_at is not dialled.',
    async run(stage) {
      const { server, proxy } = stage;
      server.policy = (claim) => refuse(claim, 'it has expired');
      const id = server.offer({ expiresInSeconds: -30 });
      await stage.until(() => proxy.findSettlements(id)[0], 15, 'The late delivery was not settled');
      await stage.pause(2);
      const [event] = server.findEvents(id);
      must(!event, `${event?.type} was sent for a call that had expired.`);
      must(
        proxy.findSettlements(id)[0]?.how === 'ack',
        'The late delivery was returned to the queue or rejected.',
      );
      server.policy = grantFirst;
      await stage.end(server.offer(), 15);
    },
  },
  {
    id: 'message.unknown-fields',
    suite: 'core',
    level: 'MUST',
    rule: 'A worker ignores fields that it does not know.',
    async run(stage) {
      const { server } = stage;
      server.policy = (claim) => {
        const answer = server.grantOnce(claim);
        return answer && { ...answer, body: { ...answer.body, later: { than: ['this', 'kit'] } } };
      };
      const id = server.offer({ extra: { later: true, news: { of: [1, 2, 3] } } });
      mustEndWith(await stage.end(id, 15), 'call.ended.v1', 'user_hangup', 'user');
    },
  },
  {
    id: 'message.unreadable',
    suite: 'core',
    level: 'SHOULD',
    rule: 'A worker rejects a message that it cannot parse, without requeueing it, and goes on.',
    async run(stage) {
      const { server, proxy } = stage;
      const id = randomUUID();
      server.publishUnreadable(id, Buffer.from('{"conversation_id": '));
      await stage.until(() => proxy.findSettlements(id)[0], 10, 'The unreadable message was not settled');
      await stage.until(() => server.deadCalls(), 5, 'The unreadable message did not reach the dead letters');
      must(
        proxy.countDeliveries(id) === 1,
        `The unreadable message was delivered ${proxy.countDeliveries(id)} times.`,
      );
      await stage.end(server.offer(), 15);
    },
  },
  {
    id: 'topology.declares-nothing',
    suite: 'core',
    level: 'MUST',
    rule: "A worker does not declare the server's exchanges and queues.",
    async run(stage) {
      const { server, proxy } = stage;
      await stage.end(server.offer(), 15);
      const names = Object.values(server.names) as string[];
      const declared = proxy.declarations.find(({ name }) => names.includes(name));
      must(!declared, `The runtime declared the ${declared?.what} ${declared?.name}.`);
    },
  },
];
