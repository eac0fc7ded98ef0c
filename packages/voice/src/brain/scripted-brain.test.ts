import type { AnswerPart, Message } from './brain';
import { isGoodbye, ScriptedBrain } from './scripted-brain';

async function answers(brain: ScriptedBrain, said: string[]): Promise<AnswerPart[][]> {
  const messages: Message[] = [];
  const all: AnswerPart[][] = [];
  for (const text of said) {
    messages.push({ role: 'user', text });
    const parts: AnswerPart[] = [];
    for await (const part of brain.answer(messages)) parts.push(part);
    all.push(parts);
  }
  return all;
}
const words = (parts: AnswerPart[] = []) =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

test('it says what it is, asks for each variable once, and notes the answers', async () => {
  const brain = new ScriptedBrain(['party_size', 'time']);
  const [first, second, third] = await answers(brain, ['A table, please.', 'Two.', 'At eight.']);
  expect(words(first)).toBe(
    'I am a scripted assistant without a language model. You said: A table, please. Please tell me the party size.',
  );
  expect(words(second)).toBe('Thank you. Please tell me the time.');
  expect(words(third)).toBe('Thank you. I noted party size: Two, time: At eight. Is there anything else?');
  const { variables, outcome } = await brain.conclude([{ role: 'user', text: 'A table' }]);
  expect([variables, outcome]).toEqual([{ party_size: 'Two', time: 'At eight' }, 'completed']);
});

test('it answers a question from the knowledge bases', async () => {
  const brain = new ScriptedBrain([], (query) => Promise.resolve([{ text: `About ${query}` }]));
  const [parts] = await answers(brain, ['When do you open?']);
  expect(words(parts)).toContain('I found this: About When do you open?');
});

test.each(['Good-by.', 'Good bye.', 'Goodbye!', 'Bye bye', 'No, thank you.', "That's all, thanks.", 'No.'])(
  '"%s" ends the call',
  async (said) => {
    const [parts] = await answers(new ScriptedBrain([]), [said]);
    expect(parts?.at(-1)).toEqual({ type: 'end' });
  },
);

test.each(['Now', 'I know a good buy', 'No, I want a table', ''])('"%s" does not end the call', (said) => {
  expect(isGoodbye(said)).toBe(false);
});
