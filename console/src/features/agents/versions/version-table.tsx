import { Link } from 'wouter';
import type { Schemas } from '../../../api/client';
import { actorName } from '../../../domain/actor-name';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { type Column, Table } from '../../../ui/table/table';
import { TimeText } from '../../../ui/time-text';
import { texts } from '../../../texts';
import styles from './versions.module.css';

type Version = Schemas['AgentVersionDto'];
type Side = 'left' | 'right';

interface Props {
  agentId: string;
  versions: Version[];
  current: number | undefined;
  left: number;
  right: number;
  onChoose: (side: Side, version: number) => void;
  onRestore: (version: number) => void;
}

const { columns: headers } = texts.versions;

export function VersionTable({ agentId, versions, current, left, right, onChoose, onRestore }: Props) {
  const choice = (side: Side, header: string, chosen: number): Column<Version> => ({
    key: side,
    header,
    cell: ({ version }) => (
      <input
        type="radio"
        className={styles.radio}
        name={side}
        checked={version === chosen}
        aria-label={texts.versions.choose(header, version)}
        onChange={() => onChoose(side, version)}
      />
    ),
  });
  return (
    <Table<Version>
      caption={texts.versions.short}
      rows={versions}
      rowKey={({ version }) => String(version)}
      columns={[
        choice('left', headers.older, left),
        choice('right', headers.newer, right),
        {
          key: 'version',
          header: headers.version,
          cell: ({ version }) => (
            <span className={styles.version}>
              {version}
              {version === current && <Badge tone="good">{texts.versions.current}</Badge>}
            </span>
          ),
        },
        { key: 'created', header: headers.created, cell: ({ created_at }) => <TimeText at={created_at} /> },
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
          cell: ({ version }) =>
            version !== current && (
              <Button
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
}
