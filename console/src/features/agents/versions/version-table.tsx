import { Link } from 'wouter';
import type { Schemas } from '../../../api/client';
import { actorName } from '../../../domain/actor-name';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Table } from '../../../ui/table/table';
import { TimeText } from '../../../ui/time-text';
import { texts } from '../../../texts';
import { DeploymentStatus } from '../publishing/deployment-status';
import styles from './versions.module.css';

type Version = Schemas['AgentVersionDto'];

interface Props {
  agentId: string;
  versions: Version[];
  newest: number | undefined;
  /** undefined: it is not read, or the session may not read it */
  deployment: Schemas['AgentDeploymentDto'] | undefined;
  onRestore: (version: number) => void;
}

const { columns: headers } = texts.versions;

export const VersionTable = ({ agentId, versions, newest, deployment, onRestore }: Props) => (
  <Table<Version>
    caption={texts.versions.short}
    rows={versions}
    rowKey={({ version }) => String(version)}
    columns={[
      {
        key: 'version',
        header: headers.version,
        phone: 'title',
        cell: ({ version }) => (
          <span className={styles.version}>
            {version}
            {version === deployment?.active_version && <Badge tone="good">{texts.versions.current}</Badge>}
            {version === newest && deployment && deployment.status !== 'active' && (
              <DeploymentStatus status={deployment.status} />
            )}
          </span>
        ),
      },
      {
        key: 'created',
        header: headers.created,
        cell: ({ created_at }) => <TimeText at={created_at} />,
        phone: 'aside',
      },
      {
        key: 'by',
        header: headers.by,
        cell: ({ created_by: actor }) => actorName(actor),
        isMinor: true,
      },
      {
        key: 'from',
        header: headers.from,
        cell: ({ restored_from }) => restored_from ?? texts.common.none,
        align: 'end',
        isMinor: true,
      },
      {
        key: 'calls',
        header: headers.calls,
        cell: ({ version, calls }) => (
          <Link href={`/calls?agent_id=${agentId}&agent_version=${version}`}>{calls.toLocaleString()}</Link>
        ),
        align: 'end',
      },
      {
        key: 'act',
        header: headers.act,
        phone: 'act',
        cell: ({ version }) =>
          version !== newest && (
            <Button
              needs="administer"
              variant="quiet"
              aria-label={texts.versions.restoreVersion(version)}
              onClick={() => onRestore(version)}
            >
              {texts.versions.restore}
            </Button>
          ),
        align: 'end',
      },
    ]}
  />
);
