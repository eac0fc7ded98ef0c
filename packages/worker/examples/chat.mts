// A conversation with a language model, over the HTTP protocol that OpenAI and most model servers have.
import { type Call, type CallResult } from '@parley/worker';

/** The person: your speech recognition and synthesis, or a chat. */
export interface Person {
  /** Speaks, or shows, a part of an answer as soon as it is there. */
  hears(text: string): void;
  /** The next words of the person; undefined when the person has gone. */
  says(signal: AbortSignal): Promise<string | undefined>;
}

export interface Model {
  /** Such as `https://api.openai.com/v1`. */
  url: string;
  key: string;
  name: string;
}

interface Message {
  role: 'system' | 'assistant' | 'user';
  content: string;
}

/** Conducts one call. */
export async function chat(call: Call, person: Person, model: Model): Promise<CallResult> {
  const { agent, greeting } = call.start;
  const messages: Message[] = [{ role: 'system', content: agent.prompt }];
  const answered = (content: string) => {
    messages.push({ role: 'assistant', content });
    call.turn({ speaker: 'agent', text: content });
  };
  await call.connected();
  if (greeting) {
    person.hears(greeting);
    answered(greeting);
  }
  for (;;) {
    const content = await person.says(call.signal);
    if (content === undefined) return { reason: 'user_hangup', summary: `${messages.length - 1} messages.` };
    messages.push({ role: 'user', content });
    call.turn({ speaker: 'user', text: content });
    let answer = '';
    for await (const part of stream(call, model, messages)) {
      answer += part;
      person.hears(part);
    }
    answered(answer);
  }
}

/** The parts of the model's answer. A hang-up ends the request. */
async function* stream(call: Call, model: Model, messages: Message[]): AsyncGenerator<string> {
  const { temperature, maxTokens } = call.start.agent.llmConfig;
  const response = await fetch(`${model.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${model.key}` },
    body: JSON.stringify({ model: model.name, messages, temperature, max_tokens: maxTokens, stream: true }),
    signal: call.signal,
  });
  if (!response.ok || !response.body) throw new Error(`The model answered with status ${response.status}.`);
  const decoder = new TextDecoder();
  let unread = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (unread + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    unread = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data:')) continue;
      const data = line.slice('data:'.length).trim();
      if (data === '[DONE]') return;
      const { choices } = JSON.parse(data) as { choices?: { delta?: { content?: string | null } }[] };
      const content = choices?.[0]?.delta?.content;
      if (content) yield content;
    }
  }
}
