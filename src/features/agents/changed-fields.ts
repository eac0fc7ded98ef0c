import { isDeepStrictEqual } from 'node:util';
import { NO_ANALYSIS } from './agent-analysis';
import type { Agent } from './agent.entity';

const OWN_FIELDS = ['name', 'type', 'category', 'status'] as const satisfies (keyof Agent)[];

/** These follow from other changes, and are named only if a client changed nothing else. */
const FOLLOWING = ['deployment.version', 'deployment.lastUpdated', 'deployment.deployedAt'];

/** The names of the fields that differ, such as `llmConfig.temperature`, without their values. */
export function changedFields(before: Agent, after: Agent, isReassigned: boolean): string[] {
  // The names within are the client's own, and may be data of a person.
  const { metaData: oldMetaData, ...oldConfig } = before.config;
  const { metaData, ...config } = after.config;
  const all = [
    ...OWN_FIELDS.filter((name) => !isDeepStrictEqual(before[name], after[name])),
    ...(isDeepStrictEqual(oldMetaData, metaData) ? [] : ['metaData']),
    ...differences({ ...oldConfig }, { ...config }),
    ...differences({ deployment: before.deployment }, { deployment: after.deployment }),
    ...(isReassigned ? ['knowledgeBases'] : []),
  ].sort();
  const analysis = differences(
    { analysis: before.analysis ?? NO_ANALYSIS },
    { analysis: after.analysis ?? NO_ANALYSIS },
  );
  const own = [...all.filter((name) => !FOLLOWING.includes(name)), ...analysis];
  return own.length > 0 ? own : all;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

function differences(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [old, next] = [before[name], after[name]];
    if (isDeepStrictEqual(old, next)) return [];
    if (!isObject(old) || !isObject(next)) return [name];
    return differences(old, next).map((inner) => `${name}.${inner}`);
  });
}
