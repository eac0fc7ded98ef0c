import { useQuery } from '@tanstack/react-query';
import { client, type Schemas } from '../../api/client';
import { readPages } from '../../api/read-pages';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Loaded } from '../../ui/loaded';
import { texts } from '../../texts';
import { keyName } from './key-table';
import styles from './settings.module.css';

type Key = Schemas['ApiKeyDto'];

const labels = texts.settings.keys;

const readKeys = () =>
  readPages(
    (query) => client.GET('/api/auth/api-keys', { params: { query } }),
    ({ keyId }) => keyId,
  );

/** The keys that are revoked with a key: all keys that were created with it, directly or indirectly. */
function dependents(keys: Key[], { keyId }: Key): Key[] {
  const direct = keys.filter(({ parentKeyId, revokedAt }) => parentKeyId === keyId && revokedAt === null);
  return direct.flatMap((key) => [key, ...dependents(keys, key)]);
}

interface Props {
  apiKey: Key;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before a key is revoked, and names the keys that end with it. */
export function RevokeKeyDialog({ apiKey, onDone, onClose }: Props) {
  const keys = useQuery({ queryKey: ['all API keys'], queryFn: readKeys, gcTime: 0, staleTime: 0 });
  return (
    <ConfirmDialog
      title={labels.revokeTitle(keyName(apiKey))}
      text={labels.revokeText}
      action={labels.revoke}
      run={() => client.DELETE('/api/auth/api-keys/{key_id}', { params: { path: { key_id: apiKey.keyId } } })}
      onDone={onDone}
      onClose={onClose}
    >
      <Loaded query={keys}>{(found) => <Lost keys={dependents(found, apiKey)} />}</Loaded>
    </ConfirmDialog>
  );
}

function Lost({ keys }: { keys: Key[] }) {
  if (keys.length === 0) return <p>{labels.alone}</p>;
  return (
    <>
      <p>{labels.together}</p>
      <ul className={styles.lost}>
        {keys.map((key) => (
          <li key={key.keyId}>{keyName(key)}</li>
        ))}
      </ul>
    </>
  );
}
