import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { Button } from '../../ui/button';
import { DoneNotice } from '../../ui/done-notice';
import { filterQuery } from '../../ui/filters/filter-query';
import { Loaded } from '../../ui/loaded';
import { Pager } from '../../ui/table/pager';
import { SecretNotice } from '../../ui/secret-notice';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { useCreateRequest } from '../../ui/use-create-request';
import { texts } from '../../texts';
import { CreateKeyDialog } from './create-key-dialog';
import { KeyTable, keyName } from './key-table';
import { RevokeKeyDialog } from './revoke-key-dialog';
import { SettingsFrame } from './settings-frame';
import styles from './settings.module.css';

type Key = Schemas['ApiKeyDto'];

const labels = texts.settings.keys;

/** The API keys of the workspace, with their last use, and buttons to create and revoke keys. */
export default function KeysPage() {
  const [parameters, setParameters] = useQueryParameters();
  const query = filterQuery(parameters, []);
  const keys = api.useQuery(
    'get',
    '/api/auth/api-keys',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const [isCreating, setCreating] = useState(false);
  useCreateRequest('administer', () => setCreating(true));
  const [made, setMade] = useState<Schemas['CreatedApiKeyDto']>();
  const [asked, setAsked] = useState<Key>();
  const [revoked, setRevoked] = useState<Key>();
  return (
    <SettingsFrame tab={texts.settings.tabs.keys}>
      <div className={styles.intro}>
        <p className={styles.muted}>{labels.intro}</p>
        <Button needs="administer" variant="primary" onClick={() => setCreating(true)}>
          {labels.create}
        </Button>
      </div>
      {made && (
        <SecretNotice
          key={made.keyId}
          title={labels.made(made.name ?? '')}
          label={labels.key}
          secret={made.apiKey}
          onDismiss={() => setMade(undefined)}
        />
      )}
      {revoked && <DoneNotice key={revoked.keyId}>{labels.revoked(keyName(revoked))}</DoneNotice>}
      <Loaded query={keys}>
        {({ data, pagination }) => (
          <>
            <KeyTable keys={data} onRevoke={setAsked} />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
      {isCreating && (
        <CreateKeyDialog
          onMade={(key) => {
            setMade(key);
            setRevoked(undefined);
            void keys.refetch();
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {asked && (
        <RevokeKeyDialog
          apiKey={asked}
          onDone={() => {
            setRevoked(asked);
            void keys.refetch();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </SettingsFrame>
  );
}
