import { exampleCall } from '../../../worker/src/example-call';
import { resolveAgent } from './resolve-agent';
import { listServices } from './services';

const models = new Map([['groq', { baseUrl: 'https://api.groq.example/openai/v1' }]]);

function servicesFor(provider: string, type: 'outbound' | 'chat' = 'outbound') {
  const start = exampleCall({ call_type: 'webcall' });
  start.agent = {
    ...start.agent,
    type,
    llmConfig: { ...start.agent.llmConfig, provider },
    sttConfig: { ...start.agent.sttConfig, provider: 'deepgram' },
  };
  return listServices(resolveAgent(start, { models: new Set(models.keys()) }).plan, models);
}

test('a service that is not configured does not hear the call', () => {
  expect(servicesFor('openai')).toEqual([
    { part: 'recognition', provider: 'local' },
    { part: 'language', provider: 'local' },
    { part: 'synthesis', provider: 'local' },
  ]);
});

test('a language model is named with its host', () => {
  expect(servicesFor('groq')[1]).toEqual({ part: 'language', provider: 'groq', host: 'api.groq.example' });
});

test('in writing, nobody hears or speaks', () => {
  expect(servicesFor('groq', 'chat')).toEqual([
    { part: 'language', provider: 'groq', host: 'api.groq.example' },
  ]);
});
