import type { AnswerPart, Brain } from '../brain/brain';
import { ChatCompletionsBrain, type ChatContext, type ChatModel } from '../brain/chat-completions';
import { ScriptedBrain } from '../brain/scripted-brain';
import { pause } from '../clock';
import type { VirtualClock } from './virtual-clock';

/** A model whose answers take this virtual time, however long it is asked. */
export function createChatBrain(
  model: ChatModel,
  context: ChatContext,
  clock: VirtualClock,
  modelMs: number,
): Brain {
  return new ChatCompletionsBrain(model, {
    ...context,
    clock,
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
      await pause(clock, modelMs, signal);
      signal.throwIfAborted();
      yield* answer;
      if (failure) throw failure.error;
    },
  });
}

/** The scripted assistant, which takes as long for an answer. */
export function createScriptedBrain(
  variables: readonly string[],
  context: ConstructorParameters<typeof ScriptedBrain>[1],
  clock: VirtualClock,
  modelMs: number,
): Brain {
  const brain = new ScriptedBrain(variables, context);
  return {
    provider: brain.provider,
    tokens: brain.tokens,
    async *answer(messages, signal) {
      await pause(clock, modelMs, signal);
      signal.throwIfAborted();
      yield* brain.answer(messages);
    },
    conclude: (messages) => brain.conclude(messages),
  };
}
