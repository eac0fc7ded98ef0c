import { applyChanges, initialConfig, initialDeployment } from './agent-changes';
import { AGENT_DEFAULTS } from './agent-defaults';
import type { Agent } from './agent.entity';
import type { AgentFields } from './agent-fields.dto';

const EARLIER = new Date('2026-01-01T00:00:00.000Z');

const agent = (): Agent => ({
  id: 'agent',
  workspaceId: 'workspace',
  workspace: undefined as never,
  userId: 'user',
  name: 'Desk',
  slug: 'desk',
  type: 'inbound',
  category: ['sales'],
  status: true,
  config: initialConfig({ metaData: { crm: { id: 7 } }, dynamic_variables: ['guest'] }),
  analysis: null,
  deployment: { status: 'active', version: 4, deployedAt: EARLIER, lastUpdated: EARLIER, error: null },
  publish: null,
  gated: false,
  activeVersion: null,
  activeType: null,
  previousVersion: null,
  deploymentBy: null,
  deploymentRunId: null,
  createdAt: EARLIER,
  updatedAt: EARLIER,
  updatedBy: null,
  deletedAt: null,
});

/** The agent after a change, which may leave out the type. */
function changed(
  fields: Partial<Record<keyof AgentFields, unknown>>,
  before = agent(),
  { isReassigned = false, hasEndedCalls = false } = {},
): Agent {
  applyChanges(before, fields as unknown as AgentFields, { isReassigned, hasEndedCalls });
  return before;
}

describe('A new agent', () => {
  test('has the defaults, then each layer over the one before', () => {
    const config = initialConfig(
      { greeting: 'From the template', prompt: 'From the template', dynamic_variables: ['a', 'b'] },
      { prompt: 'Own', dynamic_variables: ['c'], llmConfig: { temperature: 0 } as never },
    );

    expect(config).toEqual({
      ...AGENT_DEFAULTS,
      greeting: 'From the template',
      prompt: 'Own',
      dynamic_variables: ['c'],
      llmConfig: { ...AGENT_DEFAULTS.llmConfig, temperature: 0 },
    });
  });

  test('shares nothing with the defaults', () => {
    const before = structuredClone(AGENT_DEFAULTS);

    const config = initialConfig({});
    config.sttConfig.keywords.push('x');
    config.voiceConfig.speed = 2;
    config.callConfig.idleReminders[0] = true;

    expect(AGENT_DEFAULTS).toEqual(before);
  });

  test('is active in its first version, or in a later one that it names', () => {
    const first = initialDeployment();
    expect(first).toMatchObject({ status: 'active', version: 1, error: null });
    expect(first.deployedAt).toEqual(first.lastUpdated);
    expect(initialDeployment({ version: 9, status: 'failed', error: 'x' })).toMatchObject({
      status: 'active',
      version: 9,
      error: null,
    });
    expect(initialDeployment({ status: 'active' }).deployedAt).toEqual(expect.any(Date));
  });
});

describe('A change of an agent', () => {
  test('that changes nothing leaves everything as it was', () => {
    const { name, type, category, status, config, deployment } = agent();

    for (const fields of [
      {},
      { type },
      { name, type, category, status, ...config, deployment },
      { voiceConfig: {}, deployment: {} },
      { name: undefined, prompt: undefined },
    ]) {
      expect(changed(fields)).toEqual(agent());
    }
  });

  test('merges objects field by field, replaces lists, and replaces metaData whole', () => {
    const { config } = changed({
      voiceConfig: { speed: 1.5 },
      callConfig: { voicemailDetection: { enabled: true }, idleReminders: [true, 5] },
      dynamic_variables: [],
      metaData: { other: true },
    } as never);

    expect(config).toEqual({
      ...agent().config,
      voiceConfig: { ...AGENT_DEFAULTS.voiceConfig, speed: 1.5 },
      callConfig: {
        ...AGENT_DEFAULTS.callConfig,
        voicemailDetection: { enabled: true, type: 'hangup' },
        idleReminders: [true, 5],
      },
      dynamic_variables: [],
      metaData: { other: true },
    });
  });

  test('keeps the metaData if it does not name any', () => {
    expect(changed({ prompt: 'New' }).config.metaData).toEqual({ crm: { id: 7 } });
  });

  test('stores times as the text that JSON has for them', () => {
    expect(changed({ stats: { lastCallAt: EARLIER } }).config.stats.lastCallAt).toBe(
      '2026-01-01T00:00:00.000Z',
    );
  });

  test('does not write statistics over those of calls that have ended', () => {
    const called = changed({ stats: { totalCalls: 9 } }, agent(), { hasEndedCalls: true });

    expect(called.config.stats.totalCalls).toBe(0);
  });

  test('sets the voice model by the provider', () => {
    expect(changed({ voiceConfig: { provider: 'openai' } }).config.voiceConfig.model).toBe('gpt-4o-mini-tts');
    expect(changed({ voiceConfig: { provider: '__proto__' } }).config.voiceConfig.model).toBe('');
  });

  test('raises the version by one, however many fields it changes, and sets lastUpdated', () => {
    const { deployment } = changed({ prompt: 'New', greeting: 'New', type: 'chat', name: 'New' });

    expect(deployment.version).toBe(5);
    expect(deployment.lastUpdated.getTime()).toBeGreaterThan(EARLIER.getTime());
  });

  test('keeps the version if it does not matter to calls', () => {
    const presented = {
      category: ['x'],
      status: false,
      description: 'x',
      image: 'x',
      features: ['x'],
      popularity: 1,
    };

    expect(
      changed({ ...presented, industry: 'x', templateCategory: 'x', stats: { totalCalls: 3 } }).deployment,
    ).toEqual(agent().deployment);
  });

  test('never lowers the version, nor raises it beyond the maximum', () => {
    const versionAfter = (version: number, fields: object = {}) =>
      changed({ deployment: { version }, ...fields }).deployment.version;

    expect(versionAfter(1)).toBe(4);
    expect(versionAfter(4, { prompt: 'New' })).toBe(5);
    expect(versionAfter(8)).toBe(8);
    expect(versionAfter(8, { prompt: 'New' })).toBe(8);
  });

  test('takes nothing but the version of a deployment from a client', () => {
    const later = new Date('2026-02-01T00:00:00.000Z');
    const sent = { status: 'failed', deployedAt: later, lastUpdated: later, error: 'No worker took it.' };

    expect(changed({ deployment: sent }).deployment).toEqual(agent().deployment);
  });
});
