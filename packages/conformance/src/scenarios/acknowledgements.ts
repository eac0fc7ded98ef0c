import { must, type Scenario } from '../scenario';

export const acknowledgementScenarios: Scenario[] = [
  {
    id: 'ack.after-the-answer',
    suite: 'core',
    level: 'MUST',
    rule: 'A worker acknowledges a delivery when its claim is answered, and not before.',
    async run(stage) {
      const { server, proxy } = stage;
      server.policy = async (claim) => {
        await stage.pause(2);
        return server.grantOnce(claim);
      };
      const id = server.offer();
      const settlement = await stage.until(
        () => proxy.findSettlements(id)[0],
        15,
        'The delivery was not settled',
      );
      const answered = server.answerTo(id);
      must(
        answered !== undefined && settlement.at >= answered,
        `The delivery was settled (${settlement.how}) before the claim was answered, so a crash would lose the call.`,
      );
      must(settlement.how === 'ack', `The delivery of a granted call was settled by ${settlement.how}.`);
    },
  },
  {
    id: 'ack.not-held-for-the-call',
    suite: 'core',
    level: 'MUST',
    rule: 'A worker does not hold a delivery for the duration of a call, whether or not it is answered.',
    capacity: 2,
    async run(stage) {
      const { server, proxy } = stage;
      const calls = ['answers 4', 'no_answer'].map((callee) => ({ callee, id: server.offer({ callee }) }));
      for (const { callee, id } of calls) {
        await stage.claim(id);
        const end = await stage.end(id, 15);
        const [settlement] = proxy.findSettlements(id);
        const answered = server.answerTo(id) ?? 0;
        must(
          settlement !== undefined && settlement.at < end.at && settlement.at - answered < 3_000,
          `The delivery of a call whose person ${callee === 'no_answer' ? 'does not answer' : 'answers'} was not acknowledged within 3 s of the answer to its claim.`,
        );
      }
    },
  },
];
