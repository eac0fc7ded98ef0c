import { useMemo } from 'react';
import { api, type Schemas } from '../../../api/client';
import { ConfigView } from '../../../domain/agent-config';
import { settingText } from '../../../domain/setting-text';
import { SelectField } from '../../../ui/fields';
import { Loaded } from '../../../ui/loaded';
import { Section } from '../../../ui/page';
import { texts } from '../../../texts';
import { ChangeList } from './diff/change-list';
import styles from './versions.module.css';

export type Side = 'left' | 'right';

interface Props {
  agentId: string;
  left: number;
  right: number;
  /** The versions that can be chosen. The compared ones can be, too. */
  versions: number[];
  onChoose: (side: Side, version: number) => void;
}

/** A version does not change. */
const FOREVER = { staleTime: Number.POSITIVE_INFINITY };

const toLines = (items: object[]) => items.map((item) => settingText('', item));

/** All on which calls of a version depend. Its tools and what its calls yield have a line each. */
const toSide = ({ version, agent_config, tools, analysis }: Schemas['AgentVersionDetailDto']) => ({
  title: texts.versions.version(version),
  value: {
    ...agent_config,
    tools: toLines(tools),
    analysis: { fields: toLines(analysis.fields), criteria: toLines(analysis.criteria) },
  },
});

/** The complete configuration of a version. */
const Whole = ({ version }: { version: Schemas['AgentVersionDetailDto'] }) => (
  <details className={styles.whole}>
    <summary>{texts.versions.whole(version.version)}</summary>
    <ConfigView config={version.agent_config} />
  </details>
);

/** Shows what differs between two versions, and chooses them. */
export function Comparison({ agentId, left, right, versions, onChoose }: Props) {
  const toParams = (version: number) => ({
    params: { path: { agent_id: agentId, version: String(version) } },
  });
  const older = api.useQuery('get', '/api/agents/{agent_id}/versions/{version}', toParams(left), FOREVER);
  const newer = api.useQuery('get', '/api/agents/{agent_id}/versions/{version}', toParams(right), FOREVER);
  const bases = api.useQuery('get', '/api/knowledge-base', { params: { query: { limit: 100 } } });
  const baseNames = useMemo(
    () => new Map(bases.data?.data.map(({ _id, name }) => [_id, name])),
    [bases.data],
  );
  const choices = [...new Set([...versions, left, right])]
    .toSorted((one, other) => other - one)
    .map((version) => ({ value: String(version), label: texts.versions.version(version) }));
  const choice = (side: Side, version: number) => (
    <SelectField
      label={texts.versions[side]}
      choices={choices}
      value={String(version)}
      onChange={({ target }) => onChoose(side, Number(target.value))}
    />
  );
  return (
    <Section title={texts.versions.difference(left, right)}>
      <div className={styles.choices}>
        {choice('left', left)}
        {choice('right', right)}
      </div>
      <Loaded query={older}>
        {({ data: before }) => (
          <Loaded query={newer}>
            {({ data: after }) => (
              <>
                <ChangeList left={toSide(before)} right={toSide(after)} baseNames={baseNames} />
                <Whole version={after} />
                {left !== right && <Whole version={before} />}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Section>
  );
}
