import { api, type Schemas } from '../../../api/client';
import { ConfigView } from '../../../domain/agent-config';
import { DiffView } from './diff/diff-view';
import { Loaded } from '../../../ui/loaded';
import { Section } from '../../../ui/page';
import { texts } from '../../../texts';
import styles from './versions.module.css';

interface Props {
  agentId: string;
  left: number;
  right: number;
}

/** A version does not change. */
const FOREVER = { staleTime: Number.POSITIVE_INFINITY };

/** The complete configuration of a version. */
const Whole = ({ version }: { version: Schemas['AgentVersionDetailDto'] }) => (
  <details className={styles.whole}>
    <summary>{texts.versions.whole(version.version)}</summary>
    <ConfigView config={version.agent_config} />
  </details>
);

/** Shows two versions side by side. */
export function Comparison({ agentId, left, right }: Props) {
  const toParams = (version: number) => ({
    params: { path: { agent_id: agentId, version: String(version) } },
  });
  const older = api.useQuery('get', '/api/agents/{agent_id}/versions/{version}', toParams(left), FOREVER);
  const newer = api.useQuery('get', '/api/agents/{agent_id}/versions/{version}', toParams(right), FOREVER);
  return (
    <Section title={texts.versions.difference(left, right)}>
      <Loaded query={older}>
        {({ data: before }) => (
          <Loaded query={newer}>
            {({ data: after }) => (
              <>
                <DiffView
                  caption={texts.versions.difference(left, right)}
                  left={{ title: texts.versions.version(left), value: before.agent_config }}
                  right={{ title: texts.versions.version(right), value: after.agent_config }}
                />
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
