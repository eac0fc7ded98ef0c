import { randomUUID } from 'node:crypto';
import { must, mustEndWith, type Scenario } from '../scenario';

export const hangupScenarios: Scenario[] = [
  {
    id: 'hangup.obeyed',
    suite: 'core',
    level: 'MUST',
    rule: 'After call.hangup.v1, the worker ends the call and reports its end with the reason cancelled by system.',
    async run(stage) {
      const { server } = stage;
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
