import type { Brain } from '../brain/brain';
import type { ChatContext, ChatModel } from '../brain/chat-completions';
import { createPacedBrain } from './paced-brain';
import type { PlayedCall, Stage, StageParts } from './stage';
import { VirtualCall } from './virtual-call';
import { VirtualClock } from './virtual-clock';

/** Time that passes only when something happens in it: the same answers of the model make the same rehearsal. */
export class VirtualStage implements Stage {
  readonly isVirtual = true;
  readonly clock: VirtualClock;

  /** @param start the time of day at the beginning */
  constructor(start: Date) {
    this.clock = new VirtualClock(start);
  }

  hold(): () => void {
    return this.clock.hold();
  }

  createBrain(model: ChatModel | undefined, context: ChatContext, modelMs: number): Brain {
    return createPacedBrain(model, context, this.clock, modelMs);
  }

  open({ heard: { frame, clear, state }, ...parts }: StageParts): Promise<PlayedCall> {
    const line = { frame, clear, state, press: () => Promise.resolve() };
    return Promise.resolve(new VirtualCall({ ...parts, clock: this.clock, line }));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
