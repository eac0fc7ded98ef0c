import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { DoNotCallDialog } from '../../domain/do-not-call-dialog';
import { EntryEnd, entrySource } from '../../domain/do-not-call-entry';
import { RemoveEntryDialog } from '../../domain/remove-entry-dialog';
import { texts } from '../../texts';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Facts } from '../../ui/facts';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { TimeText } from '../../ui/time-text';

const { columns: headers, title } = texts.doNotCall;
const labels = texts.people;

const EntryFacts = ({ entry }: { entry: Schemas['DoNotCallEntryDto'] }) => (
  <Facts
    facts={[
      { name: headers.source, value: entrySource(entry) },
      { name: headers.listed, value: <TimeText at={entry.created_at} /> },
      { name: headers.expires, value: <EntryEnd at={entry.expires_at} /> },
      { name: headers.reason, value: entry.reason },
    ]}
  />
);

/** Whether the number may be called, and the button that changes it. */
export function DoNotCallSection({ number }: { number: string }) {
  const [asked, setAsked] = useState<'list' | 'unlist'>();
  const [done, setDone] = useState('');
  const entries = api.useQuery(
    'get',
    '/api/do-not-call',
    // The search also finds numbers and reasons that contain this number.
    { params: { query: { search: number, limit: 100 } } },
    { staleTime: 0 },
  );
  const entry = entries.data?.data.find(({ phone_number }) => phone_number === number);
  const dialog = {
    number,
    onDone: async (text: string) => {
      await entries.refetch();
      setDone(text);
    },
    onClose: () => setAsked(undefined),
  };
  return (
    <Section
      title={title}
      actions={
        entries.data && (
          <Button needs="operate" onClick={() => setAsked(entry ? 'unlist' : 'list')}>
            {entry ? labels.unlist : labels.list}
          </Button>
        )
      }
    >
      <Loaded query={entries}>
        {() => (
          <>
            <p>
              <Badge tone={entry ? 'warn' : 'good'}>{entry ? labels.listed : labels.notListed}</Badge>
            </p>
            {entry && <EntryFacts entry={entry} />}
          </>
        )}
      </Loaded>
      <p role="status" className="visually-hidden">
        {done}
      </p>
      {asked === 'list' && <DoNotCallDialog {...dialog} />}
      {asked === 'unlist' && <RemoveEntryDialog {...dialog} />}
    </Section>
  );
}
