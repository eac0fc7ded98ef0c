import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { DoneNotice } from '../../ui/done-notice';
import { filterQuery } from '../../ui/filters/filter-query';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { Loaded } from '../../ui/loaded';
import { SecretNotice } from '../../ui/secret-notice';
import { Pager } from '../../ui/table/pager';
import { useCreateRequest } from '../../ui/use-create-request';
import { clearSession, SESSION_KEY, useSession } from '../../session/session';
import { texts } from '../../texts';
import { PersonDialog } from './person-dialog';
import { PersonTable } from './person-table';
import { SettingsFrame } from './settings-frame';
import styles from './settings.module.css';

type Person = Schemas['PersonDto'];
type PersonLink = Schemas['PersonLinkDto'];

const labels = texts.settings.people;

type Asked = { act: 'invite' } | { act: 'change' | 'link' | 'remove'; person: Person };

/** The people of the workspace, with their roles, and the buttons to invite, change and remove them. */
export default function PeoplePage() {
  const [parameters, setParameters] = useQueryParameters();
  const query = filterQuery(parameters, []);
  const people = api.useQuery(
    'get',
    '/api/people',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const queries = useQueryClient();
  const ownId = useSession().data?.user.id;
  const [asked, setAsked] = useState<Asked>();
  useCreateRequest('administer', () => setAsked({ act: 'invite' }));
  const [made, setMade] = useState<PersonLink & { name: string }>();
  const [done, setDone] = useState<string>();
  const close = () => setAsked(undefined);
  const show = (text: string | undefined, link?: PersonLink & { name: string }) => {
    setDone(text);
    setMade(link);
    void people.refetch();
  };
  return (
    <SettingsFrame tab={texts.settings.tabs.people}>
      <div className={styles.intro}>
        <p className={styles.muted}>{labels.intro}</p>
        <Button needs="administer" variant="primary" onClick={() => setAsked({ act: 'invite' })}>
          {labels.invite}
        </Button>
      </div>
      {made && (
        <SecretNotice
          key={made.url}
          title={labels.made(made.name)}
          label={labels.linkLabel}
          secret={made.url}
          onDismiss={() => setMade(undefined)}
        />
      )}
      {done && <DoneNotice key={done}>{done}</DoneNotice>}
      <Loaded query={people}>
        {({ data, pagination }) => (
          <>
            <PersonTable people={data} ownId={ownId} onAsk={(act, person) => setAsked({ act, person })} />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
      {asked?.act === 'invite' && (
        <PersonDialog onInvited={(link, name) => show(undefined, { ...link, name })} onClose={close} />
      )}
      {asked?.act === 'change' && (
        <PersonDialog
          person={asked.person}
          onChanged={(name) => {
            show(labels.changed(name));
            // Another role of one's own changes what the pages offer.
            if (asked.person.id === ownId) void queries.invalidateQueries({ queryKey: SESSION_KEY });
          }}
          onClose={close}
        />
      )}
      {asked?.act === 'link' && (
        <ConfirmDialog
          title={labels.linkTitle(asked.person.name)}
          text={labels.linkText}
          action={labels.newLink}
          isDestructive={false}
          run={async () => {
            const params = { path: { person_id: asked.person.id } };
            const { data } = await client.POST('/api/people/{person_id}/link', { params });
            if (data) show(undefined, { ...data.data, name: asked.person.name });
          }}
          onClose={close}
        />
      )}
      {asked?.act === 'remove' && (
        <ConfirmDialog
          title={labels.removeTitle(asked.person.name)}
          text={labels.removeText}
          action={labels.remove}
          run={() =>
            client.DELETE('/api/people/{person_id}', { params: { path: { person_id: asked.person.id } } })
          }
          onDone={() => {
            if (asked.person.id === ownId) return clearSession(queries);
            show(labels.removed(asked.person.name));
          }}
          onClose={close}
        />
      )}
    </SettingsFrame>
  );
}
