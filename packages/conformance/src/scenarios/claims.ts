import { must, type Scenario } from '../scenario';
import { grantFirst, refuse } from '../server';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A claim that is not answered is repeated after a few seconds. */
const REPEAT_SECONDS = 20;

export const claimScenarios: Scenario[] = [
  {
    id: 'claim.before-anything',
    suite: 'core',
    level: 'MUST',
    rule: 'A worker claims a call before it dials, and does nothing for it before the claim is granted.',
    async run(stage) {
      const { server } = stage;
      server.policy = async (claim) => {
        await stage.pause(2);
        return server.grantOnce(claim);
      };
      const id = server.offer();
      const claim = await stage.claim(id);
      must(claim.type === 'call.claim.v1', `The first message was ${claim.type}, not call.claim.v1.`);
      must(UUID.test(claim.claimId), `The claim_id is ${JSON.stringify(claim.claimId)}, not a UUID.`);
      must(claim.workerId !== '' && claim.workerId.length <= 200, 'The worker_id has 1 to 200 characters.');
      await stage.end(id, 15);
      const answered = server.answerTo(id) ?? Infinity;
      const early = server.findEvents(id).find(({ at }) => at < answered);
      must(!early, `${early?.type} arrived before the claim was answered.`);
    },
  },
  {
    id: 'claim.same-id-on-silence',
    suite: 'core',
    level: 'MUST',
    rule: 'If a claim gets no answer, the worker repeats it with the same claim_id.',
    async run(stage) {
      const { server } = stage;
      const id = server.offer();
      // A server that was slow answers both, the older one first.
      let repeat: () => void = () => undefined;
      const repeated = new Promise<void>((resolve) => (repeat = resolve));
      server.policy = async (claim) => {
        if (server.findClaims(id).length < 2) await repeated;
        else {
          repeat();
          await stage.pause(0.1);
        }
        return server.grantOnce(claim);
      };
      const first = await stage.claim(id);
      const second = await stage.claim(id, 2, REPEAT_SECONDS);
      must(second.claimId === first.claimId, 'The repeated claim has another claim_id.');
      const { type } = await stage.end(id, 15);
      must(type === 'call.ended.v1', `The call was granted, and two answers to its claim made it ${type}.`);
    },
  },
  {
    id: 'claim.new-id-per-delivery',
    suite: 'core',
    level: 'MUST',
    rule: 'For another delivery of the same call, the worker uses a new claim_id.',
    async run(stage) {
      const { server } = stage;
      server.policy = (claim) => refuse(claim, 'it was cancelled');
      const id = server.offer();
      const first = await stage.claim(id);
      server.offer({ conversationId: id });
      const second = await stage.claim(id, 2);
      must(second.claimId !== first.claimId, 'Two deliveries were claimed with the same claim_id.');
    },
  },
  {
    id: 'claim.stops-at-expiry',
    suite: 'core',
    level: 'MUST',
    rule: 'A worker repeats a claim until the call expires, and not longer.',
    async run(stage) {
      const { server } = stage;
      server.policy = () => undefined;
      const id = server.offer({ expiresInSeconds: 6 });
      const expiry = stage.now() + 6_000;
      await stage.claim(id);
      await stage.pause(14);
      const late = server.findClaims(id).find(({ at }) => at > expiry + 1_000);
      must(
        !late,
        `A claim was sent ${Math.round(((late?.at ?? 0) - expiry) / 1_000)} s after the call expired.`,
      );
      server.policy = grantFirst;
      await stage.end(server.offer(), 15);
    },
  },
  {
    id: 'claim.refused-is-left-alone',
    suite: 'core',
    level: 'MUST',
    rule: 'If the claim is refused, the worker acknowledges the delivery and does nothing else.',
    async run(stage) {
      const { server, proxy } = stage;
      server.policy = (claim) => refuse(claim, 'it was claimed already');
      const id = server.offer();
      await stage.claim(id);
      await stage.until(() => proxy.findSettlements(id)[0], 5, 'The delivery was not settled');
      await stage.pause(4);
      must(
        proxy.findSettlements(id)[0]?.how === 'ack' && proxy.countDeliveries(id) === 1,
        'The delivery was returned, so another worker gets a call that is gone.',
      );
      const [event] = server.findEvents(id);
      must(!event, `${event?.type} was sent for a call that was refused.`);
      must(server.findClaims(id).length === 1, 'The call was claimed again after a refusal.');
    },
  },
];
