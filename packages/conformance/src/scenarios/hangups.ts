import { randomUUID } from 'node:crypto';
import { must, mustEndWith, type Scenario, type Stage } from '../scenario';

const HEARTBEAT_MS = 1_000;

/**
 * Whether the runtime holds the call. Before that, the answer may be in transit, and the runtime ignores a command
 * for the call.
 */
function isHeld({ server, now }: Stage, conversationId: string): boolean {
  const isSure = now() > (server.answerTo(conversationId) ?? Infinity) + 2 * HEARTBEAT_MS;
  return isSure || server.findEvents(conversationId, 'call.heartbeat.v1').length > 0;
}

export const hangupScenarios: Scenario[] = [
  {
    id: 'hangup.obeyed',
    suite: 'core',
    level: 'MUST',
    rule: 'After call.hangup.v1, also while it rings, the worker ends the call and reports its end with the reason cancelled by system.',
    async run(stage) {
      const { server } = stage;
      const ringing = server.offer({ callee: 'no_answer' });
      const claim = await stage.claim(ringing);
      await stage.until(() => isHeld(stage, ringing), 15, 'The claim was not answered');
      server.hangUp(claim.workerId, ringing);
      mustEndWith(await stage.end(ringing, 10), 'call.failed.v1', 'cancelled', 'system');
      const id = server.offer({ callee: 'answers 60' });
      const { workerId } = await stage.claim(id);
      await stage.event(id, 'call.connected.v1', 15);
      server.hangUp(workerId, id);
      mustEndWith(await stage.end(id, 10), 'call.ended.v1', 'cancelled', 'system');
    },
  },
  {
    id: 'hangup.of-others-ignored',
    suite: 'core',
    level: 'MUST',
    rule: 'A worker ignores a command for a call that it does not hold.',
    async run(stage) {
      const { server } = stage;
      const id = server.offer({ callee: 'answers 3' });
      const { workerId } = await stage.claim(id);
      await stage.event(id, 'call.connected.v1', 15);
      server.hangUp(workerId, randomUUID());
      mustEndWith(await stage.end(id, 15), 'call.ended.v1', 'user_hangup', 'user');
      must(!stage.command.isOver, 'The runtime ended.');
    },
  },
];
