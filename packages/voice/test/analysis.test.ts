import { until } from '../../../test/support/until';
import { exampleCall } from '../../worker/src/example-call';
import { OpenAiChatStandIn } from './stand-ins/openai-chat/openai-chat-stand-in';
import { startVoiceServer } from './support/voice-server';

const { llmConfig, callConfig } = exampleCall().agent;
const analysis = {
  fields: [
    { name: 'result', type: 'string' as const, description: 'What became of it.' },
    { name: 'turns', type: 'integer' as const, description: 'The turns to the shop.' },
  ],
  criteria: [{ name: 'consent', text: 'The person agreed.' }],
};
const consent = { pass: true, turns: [2], reason: 'The person said yes.' };
const CONCLUSION = { fields: { result: 'booked', turns: 3 }, criteria: { consent } };

/** A call of an agent with these questions, which are answered so. */
async function talk(conclusions: string[], transcriptionEnabled = true) {
  const voice = await startVoiceServer();
  const chat = await OpenAiChatStandIn.listen([[{ type: 'text', text: 'It is booked.' }]]);
  chat.conclusions.push(...conclusions);
  const agent = {
    ...{ type: 'chat' as const, llmConfig: { ...llmConfig, provider: 'openai' } },
    callConfig: { ...callConfig, transcriptionEnabled },
  };
  const call = await voice.talk(
    { start: { greeting: 'May I record this?', agent, analysis } },
    async (url) => {
      const caller = await voice.join(url);
      await caller.start(null);
      await until(() => caller.state === 'listening');
      caller.send({ event: 'text', text: 'Yes.' });
      await until(() => caller.agentSaid().includes('It is booked.'));
      caller.send({ event: 'stop' });
      await until(() => caller.closed);
    },
    { models: chat.models },
  );
  expect(chat.complaints).toEqual([]);
  chat.close();
  await voice.close();
  return { ...call, asked: chat.requests.slice(1).map(({ messages }) => messages.at(-1)?.content ?? '') };
}

test('the questions of an agent are answered with turns of the transcript, and no figure is lost for it', async () => {
  const { analysis: reported, turns, asked, warnings } = await talk([JSON.stringify(CONCLUSION)]);

  expect(turns[1]).toMatchObject({ sequence: 2, text: 'Yes.' });
  expect(asked).toEqual([expect.stringContaining('{"turn":2,"speaker":"user","text":"Yes."}')]);
  expect(reported).toMatchObject({
    fields: { result: 'booked', turns: 1, llm_provider: 'openai' },
    criteria: { consent },
  });
  expect(warnings).toEqual([
    { code: 'field_names_taken', text: expect.stringMatching(/these fields: turns\.$/) as string },
  ]);
});

test('a call without a transcript has answers, whose turns have no numbers', async () => {
  const { analysis: reported, turns, asked } = await talk([JSON.stringify(CONCLUSION)], false);

  expect(turns).toEqual([]);
  expect(asked).toEqual([expect.stringContaining('\n{"speaker":"user","text":"Yes."}\n')]);
  expect(reported?.criteria).toEqual({ consent });
});

test('a model that writes no JSON is asked once more, and the call is reported without answers after it', async () => {
  const { analysis: reported, asked, end } = await talk(['It went well.', 'Very well.']);

  expect(asked).toHaveLength(2);
  expect(reported?.fields).toMatchObject({ turns: 1 });
  expect(reported).not.toHaveProperty('criteria');
  expect(end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup' });
});
