import { ChatCompletionsBrain } from '@parley/voice';

/** A language model with the instructions of an agent. */
export type AskedModel = ConstructorParameters<typeof ChatCompletionsBrain>[0] & {
  provider: string;
  prompt: string;
};

export interface SaidText {
  role: 'user' | 'agent';
  text: string;
}

export interface Answer {
  answer: string | null;
  ends: boolean;
  problem: string | null;
}

/** Asks for the answer to the last text, without tools that do something. A failure is an answer, too. */
export async function askModel(
  { provider, prompt, ...model }: AskedModel,
  said: readonly SaidText[],
  signal: AbortSignal,
): Promise<Answer> {
  const brain = new ChatCompletionsBrain(model, { provider, prompt, variables: [] });
  let text = '';
  let ends = false;
  try {
    for await (const part of brain.answer(said, signal)) {
      if (part.type === 'text') text += part.text;
      if (part.type === 'end') ends = true;
    }
    return { answer: text.trim(), ends, problem: null };
  } catch (error) {
    return { answer: null, ends: false, problem: error instanceof Error ? error.message : String(error) };
  }
}
