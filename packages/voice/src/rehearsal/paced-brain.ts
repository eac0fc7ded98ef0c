import type { AnswerPart, Brain } from '../brain/brain';
import { ChatCompletionsBrain, type ChatContext, type ChatModel } from '../brain/chat-completions';
import { ScriptedBrain } from '../brain/scripted-brain';
import { pause } from '../clock';
import type { VirtualClock } from './virtual-clock';

/**
 * A brain whose answers take this virtual time, and no more: the time stands still while the model is asked.
 * @param model undefined: the scripted assistant answers
 */
export function createPacedBrain(
  model: ChatModel | undefined,
  context: ChatContext,
  clock: VirtualClock,
  modelMs: number,
): Brain {
  const think = async (signal: AbortSignal) => {
    await pause(clock, modelMs, signal);
    signal.throwIfAborted();
  };
  if (!model) {
    const brain = new ScriptedBrain(context.variables, context);
    return {
      provider: brain.provider,
      tokens: brain.tokens,
      async *answer(messages, signal) {
        await think(signal);
        yield* brain.answer(messages);
      },
      conclude: (messages) => brain.conclude(messages),
    };
  }
  return new ChatCompletionsBrain(model, {
    ...context,
    async *pace(parts, signal) {
      const release = clock.hold();
      const answer: AnswerPart[] = [];
      let failure: { error: unknown } | undefined;
      try {
        for await (const part of parts) answer.push(part);
      } catch (error) {
        failure = { error };
      } finally {
        release();
      }
      await think(signal);
      yield* answer;
      if (failure) throw failure.error;
    },
  });
}
