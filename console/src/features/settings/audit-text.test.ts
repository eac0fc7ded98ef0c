import { comparisonHref, detailLinks, detailsText } from './audit-text';

describe('The details of an entry of the audit', () => {
  test('name what changed, with numbers and switches before and after', () => {
    const details = {
      fields: ['concurrency', 'name'],
      before: { concurrency: 10, callsPerSecond: null },
      after: { concurrency: 20, callsPerSecond: 2 },
    };

    expect(detailsText(details)).toBe(
      'fields: concurrency, name; concurrency: 10 → 20; callsPerSecond: – → 2',
    );
  });

  test('show the old value beside the new one where the entry has all new values', () => {
    const details = {
      calls_days: 30,
      transcripts_days: null,
      before: { calls_days: null, transcripts_days: null },
    };

    expect(detailsText(details)).toBe('calls days: – → 30');
  });

  test('lead to the agents and calls that they name, and shorten other ids', () => {
    const [agent, call] = ['01a21944-774e-7df4-b0fb-1ec0c1d2d87f', '01a21944-774e-7df4-b0fb-1ec0c1d2d880'];
    const details = { agents: [agent], call_id: call, sources: [call], tool: 'start_call' };

    expect(detailsText(details)).toBe('sources: …d880; tool: start_call');
    expect(detailLinks(details)).toEqual([
      { href: `/agents/${agent}`, text: 'agent\u00a0…\u2060d87f' },
      { href: `/calls/${call}`, text: 'call\u00a0…\u2060d880' },
    ]);
  });

  test('lead from the change of an agent to the comparison of its versions', () => {
    const target = { kind: 'agent' as const, id: 'a1', name: 'Front desk' };
    const href = (action: 'agent.updated' | 'agent.created', details: object) =>
      comparisonHref({ action, target, details: details as Record<string, never> });

    expect(href('agent.updated', { version: 4, previous_version: 3 })).toBe(
      '/agents/a1/versions?left=3&right=4',
    );
    expect(href('agent.updated', { version: 4, previous_version: 4 })).toBeUndefined();
    expect(href('agent.updated', { version: 4 })).toBeUndefined();
    expect(href('agent.created', {})).toBeUndefined();
  });
});
