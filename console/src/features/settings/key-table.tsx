import type { Schemas } from '../../api/client';
import { actorName } from '../../domain/actor-name';
import { Badge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { type Column, Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import { accessText } from './access-text';
import styles from './settings.module.css';

type Key = Schemas['ApiKeyDto'];
type State = keyof typeof labels.states;

const { keys: labels } = texts.settings;

const TONES: Record<State, Tone> = { valid: 'good', expired: 'plain', revoked: 'bad' };

/** The name of a key in the audit. */
export const keyName = ({ name, hint }: Pick<Key, 'name' | 'hint'>) => name ?? labels.unnamed(hint);

export const keyState = ({ revokedAt, expiresAt }: Key): State => {
  if (revokedAt) return 'revoked';
  return expiresAt && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid';
};

const COLUMNS: Column<Key>[] = [
  {
    key: 'name',
    header: labels.columns.name,
    cell: (key) => (
      <>
        {keyName(key)}
        {key.name !== null && <div className={styles.muted}>{labels.endsWith(key.hint)}</div>}
      </>
    ),
  },
  {
    key: 'state',
    header: labels.columns.state,
    phone: 'aside',
    cell: (key) => <Badge tone={TONES[keyState(key)]}>{labels.states[keyState(key)]}</Badge>,
  },
  {
    key: 'access',
    header: labels.columns.access,
    cell: ({ scope }) => accessText(scope),
    isMinor: true,
    phone: 'detail',
  },
  {
    key: 'calls',
    header: labels.columns.calls,
    cell: ({ callsToday, callsPerDay }) =>
      callsPerDay === null ? labels.noCap : labels.calls(callsToday ?? 0, callsPerDay),
    isMinor: true,
  },
  {
    key: 'used',
    header: labels.columns.used,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeText at={lastUsedAt} /> : labels.never),
    isMinor: true,
    phone: 'named',
  },
  {
    key: 'expires',
    header: labels.columns.expires,
    cell: ({ expiresAt }) => (expiresAt ? <TimeText at={expiresAt} /> : labels.noEnd),
    isMinor: true,
  },
  {
    key: 'created',
    header: labels.columns.created,
    cell: ({ createdAt, createdBy }) => (
      <>
        <TimeText at={createdAt} />
        {createdBy && <div className={styles.muted}>{labels.by(actorName(createdBy))}</div>}
      </>
    ),
    isMinor: true,
  },
];

export const KeyTable = ({ keys, onRevoke }: { keys: Key[]; onRevoke: (key: Key) => void }) => (
  <Table
    caption={texts.settings.tabs.keys}
    rows={keys}
    rowKey={({ keyId }) => keyId}
    empty={labels.empty}
    columns={[
      ...COLUMNS,
      {
        key: 'act',
        header: labels.columns.act,
        phone: 'act',
        cell: (key) =>
          key.revokedAt === null && (
            <Button
              needs="administer"
              variant="quiet"
              aria-label={labels.revokeNamed(keyName(key))}
              onClick={() => onRevoke(key)}
            >
              {labels.revoke}
            </Button>
          ),
        align: 'end',
      },
    ]}
  />
);
