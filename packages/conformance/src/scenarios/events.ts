import { END_REASONS, EVENT_TYPES, fieldText, type Message, PARTIES } from '../messages';
import { must, mustEndWith, type Scenario } from '../scenario';

const FINAL = ['call.ended.v1', 'call.failed.v1'];

const readTime = (message: Message, field: string) => Date.parse(fieldText(message.body, field));

export const eventScenarios: Scenario[] = [
  {
    id: 'events.in-order',
    suite: 'core',
    level: 'MUST',
    rule: 'A worker keeps the events of one call in order.',
    async run(stage) {
      const { server } = stage;
      const id = server.offer({ callee: 'answers 2' });
      const end = await stage.end(id, 15);
      await stage.pause(1);
      const types = server.findEvents(id).map(({ type }) => type);
      const [connected] = server.findEvents(id, 'call.connected.v1');
      must(connected !== undefined, 'call.connected.v1 was not sent for a call that was answered.');
      must(
        types.indexOf('call.connected.v1') < types.indexOf(end.type),
        `${end.type} arrived before call.connected.v1.`,
      );
      const [from, to] = [readTime(connected, 'occurred_at'), readTime(end, 'occurred_at')];
      must(from <= to, 'The end has an earlier occurred_at than the connection.');
      must(
        types.filter((type) => FINAL.includes(type)).length === 1,
        'The end of the call was reported twice.',
      );
      const stray = types.slice(types.indexOf(end.type)).includes('call.connected.v1');
      must(!stray, 'call.connected.v1 arrived after the end.');
    },
  },
  {
    id: 'events.type-and-routing-key',
    suite: 'core',
    level: 'MUST',
    rule: 'An event has its full name in the AMQP property type, the name without the version as its routing key, and the token of the claim in its body.',
    async run(stage) {
      const { server } = stage;
      const id = server.offer({ callee: 'answers 2' });
      await stage.end(id, 15);
      await stage.pause(0.5);
      const all = server.messages.filter(
        ({ direction, type }) => direction === 'from-runtime' && !/^call\.(claim|incoming)\./.test(type),
      );
      for (const { type, routingKey, contentType, body } of all) {
        if (type === 'worker.hello.v1') continue;
        must(EVENT_TYPES.includes(type), `An event has the type ${type}, which the contract does not have.`);
        must(routingKey === type.replace('.v1', ''), `${type} has the routing key ${routingKey}.`);
        must(contentType === 'application/json', `${type} has the content_type ${contentType}.`);
        must(body !== undefined, `The body of ${type} is no JSON object.`);
        must(body['conversation_id'] === id, `${type} names another conversation_id.`);
        must(body['token'] === server.tokens.get(id), `${type} does not have the token of the claim.`);
      }
    },
  },
  {
    id: 'events.persistent',
    suite: 'core',
    level: 'SHOULD',
    rule: 'The events of a call are persistent messages, so that they survive a restart of RabbitMQ.',
    async run(stage) {
      const { server } = stage;
      const id = server.offer();
      await stage.end(id, 15);
      const transient = server
        .findEvents(id)
        .find(({ type, isPersistent }) => type !== 'call.heartbeat.v1' && !isPersistent);
      must(!transient, `${transient?.type} has not the delivery_mode 2.`);
    },
  },
  {
    id: 'ended.reason-is-known',
    suite: 'core',
    level: 'MUST',
    rule: 'call.ended.v1 has a disconnect_reason and a disconnected_by of the lists, and the times of one clock.',
    async run(stage) {
      const { server } = stage;
      const id = server.offer({ callee: 'answers 1' });
      const end = await stage.end(id, 15);
      const { body } = end;
      must(end.type === 'call.ended.v1', `A call that was answered ended with ${end.type}.`);
      const [reason, party] = [fieldText(body, 'disconnect_reason'), fieldText(body, 'disconnected_by')];
      must(END_REASONS.includes(reason), `The disconnect_reason ${reason} is not in the list.`);
      must(PARTIES.includes(party), `The disconnected_by ${party} is not in the list.`);
      const [from, to] = [readTime(end, 'connected_at'), readTime(end, 'occurred_at')];
      must(!Number.isNaN(from) && !Number.isNaN(to), 'connected_at and occurred_at are ISO 8601 times.');
      must(from <= to, 'connected_at is later than occurred_at.');
      mustEndWith(end, 'call.ended.v1', 'user_hangup', 'user');
    },
  },
  {
    id: 'failed.when-not-answered',
    suite: 'core',
    level: 'MUST',
    rule: 'A call that was not answered ends with call.failed.v1 and says why.',
    capacity: 2,
    async run(stage) {
      const { server } = stage;
      const [busy, silent] = [server.offer({ callee: 'busy' }), server.offer({ callee: 'no_answer' })];
      mustEndWith(await stage.end(busy, 20), 'call.failed.v1', 'dial_busy');
      mustEndWith(await stage.end(silent, 30), 'call.failed.v1', 'dial_no_answer');
      for (const id of [busy, silent])
        must(
          server.findEvents(id, 'call.connected.v1').length === 0,
          'call.connected.v1 was sent for a call that was not answered.',
        );
    },
  },
];
