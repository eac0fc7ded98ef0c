import type { Schemas } from '../../api/client';
import { actorName } from '../../domain/actor-name';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { type Column, Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import styles from './settings.module.css';

type Person = Schemas['PersonDto'];

const labels = texts.settings.people;

interface Props {
  people: Person[];
  /** The id of the user of this page. */
  ownId: string | undefined;
  onAsk: (act: 'change' | 'link' | 'remove', person: Person) => void;
}

/** The people, each with a role, a state and buttons. */
export function PersonTable({ people, ownId, onAsk }: Props) {
  const columns: Column<Person>[] = [
    {
      key: 'name',
      header: labels.columns.name,
      cell: ({ id, name, email }) => (
        <>
          <bdi>{name}</bdi> {id === ownId && <Badge tone="good">{labels.you}</Badge>}
          {email && <div className={styles.muted}>{email}</div>}
        </>
      ),
    },
    { key: 'role', header: labels.columns.role, cell: ({ role }) => labels.roles[role] },
    {
      key: 'state',
      header: labels.columns.state,
      phone: 'aside',
      cell: ({ state, link_expires_at }) => (
        <>
          <Badge tone={state === 'joined' ? 'good' : 'plain'}>{labels.states[state]}</Badge>
          {link_expires_at && (
            <div className={styles.muted}>
              {labels.linkUntil} <TimeText at={link_expires_at} />
            </div>
          )}
        </>
      ),
    },
    {
      key: 'sign-in',
      header: labels.columns.signIn,
      cell: ({ identity_linked }) => (identity_linked ? labels.identity : labels.link),
      isMinor: true,
    },
    {
      key: 'seen',
      header: labels.columns.seen,
      cell: ({ last_seen_at }) => (last_seen_at ? <TimeText at={last_seen_at} /> : labels.never),
      isMinor: true,
      phone: 'named',
    },
    {
      key: 'by',
      header: labels.columns.by,
      cell: ({ invited_by }) => (invited_by ? actorName(invited_by) : labels.bySelf),
      isMinor: true,
    },
    {
      key: 'act',
      header: labels.columns.act,
      phone: 'act',
      cell: (person) => (
        <span className={styles.acts}>
          <Button
            needs="administer"
            variant="quiet"
            aria-label={labels.newLinkNamed(person.name)}
            onClick={() => onAsk('link', person)}
          >
            {labels.newLink}
          </Button>
          <Button
            needs="administer"
            variant="quiet"
            aria-label={labels.changeNamed(person.name)}
            onClick={() => onAsk('change', person)}
          >
            {labels.change}
          </Button>
          <Button
            needs="administer"
            variant="quiet"
            aria-label={labels.removeNamed(person.name)}
            onClick={() => onAsk('remove', person)}
          >
            {labels.remove}
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Table
      caption={texts.settings.tabs.people}
      columns={columns}
      rows={people}
      rowKey={({ id }) => id}
      empty={labels.empty}
    />
  );
}
