import { fieldText } from '../messages';
import { must, mustEndWith, type Scenario } from '../scenario';
import { refuseIncoming } from '../server';

export const incomingScenarios: Scenario[] = [
  {
    id: 'incoming.asks-first',
    suite: 'incoming',
    level: 'MUST',
    rule: 'A worker asks with call.incoming.v1 before it answers a call.',
    async run(stage) {
      const { server } = stage;
      server.policy = async (claim) => {
        await stage.pause(1);
        return server.acceptIncoming(claim, 'answers 1');
      };
      const { conversationId, body } = await stage.incoming('answers 1');
      must(body['to_number'] === '+15557654321', `The to_number is ${fieldText(body, 'to_number')}.`);
      must(body['from_number'] === '+15551234567', `The from_number is ${fieldText(body, 'from_number')}.`);
      const end = await stage.end(conversationId, 15);
      const answered = server.answerTo(conversationId) ?? Infinity;
      const early = server.messages.find(
        ({ direction, type, at }) =>
          direction === 'from-runtime' && /^call\.(connected|ended|failed)/.test(type) && at < answered,
      );
      must(!early, `${early?.type} arrived before the server had accepted the call.`);
      mustEndWith(end, 'call.ended.v1', 'user_hangup', 'user');
    },
  },
  {
    id: 'incoming.refused-is-not-answered',
    suite: 'incoming',
    level: 'MUST',
    rule: 'A worker does not answer a call that the server refuses.',
    async run(stage) {
      const { server } = stage;
      server.policy = (claim) => refuseIncoming(claim, 'unknown_number');
      await stage.incoming('answers 1');
      await stage.pause(4);
      const event = server.messages.find(
        ({ direction, type }) =>
          direction === 'from-runtime' && /^call\.(connected|ended|failed|heartbeat)/.test(type),
      );
      must(!event, `${event?.type} was sent for a call that was refused.`);
    },
  },
  {
    id: 'incoming.same-id-on-silence',
    suite: 'incoming',
    level: 'MUST',
    rule: 'If there is no answer, the worker repeats call.incoming.v1 with the same claim_id while the caller waits.',
    async run(stage) {
      const { server } = stage;
      const asked = () => server.claims.filter(({ type }) => type === 'call.incoming.v1');
      server.policy = (claim) => (asked().length < 2 ? undefined : server.acceptIncoming(claim, 'answers 1'));
      const first = await stage.incoming('answers 1');
      const second = await stage.until(() => asked()[1], 20, 'The request was not repeated');
      must(second.claimId === first.claimId, 'The repeated request has another claim_id.');
      await stage.end(first.conversationId, 15);
    },
  },
];
