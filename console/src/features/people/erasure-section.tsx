import { useEffect, useState } from 'react';
import { api } from '../../api/client';
import { EraseDialog } from '../../domain/erase-dialog';
import { ErasureStatus } from '../../domain/erasure-status';
import { texts } from '../../texts';
import { Button } from '../../ui/button';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';

const labels = texts.people;
const POLL_MS = 2_000;

interface Props {
  number: string;
  /** The erasure that was begun on this page. */
  erasureId: string | undefined;
  onBegin: (erasureId: string) => void;
  /** Called when more calls are erased. */
  onProgress: () => void;
}

/** Erases the person, and shows how far the erasure is. */
export function ErasureSection({ number, erasureId, onBegin, onProgress }: Props) {
  const [isAsked, setAsked] = useState(false);
  return (
    <Section
      title={texts.erasures.title}
      actions={
        <Button needs="administer" variant="danger" onClick={() => setAsked(true)}>
          {labels.erase}
        </Button>
      }
    >
      <p>{texts.erasures.text}</p>
      {erasureId && <Progress erasureId={erasureId} onProgress={onProgress} />}
      {isAsked && <EraseDialog number={number} onDone={onBegin} onClose={() => setAsked(false)} />}
    </Section>
  );
}

function Progress({ erasureId, onProgress }: { erasureId: string; onProgress: () => void }) {
  const erasure = api.useQuery(
    'get',
    '/api/erasures/{erasure_id}',
    { params: { path: { erasure_id: erasureId } } },
    { refetchInterval: ({ state }) => (state.data?.data.status === 'completed' ? false : POLL_MS) },
  );
  const calls = erasure.data?.data.calls;
  const status = erasure.data?.data.status;
  useEffect(() => {
    if (status !== undefined) onProgress();
  }, [calls, status]);
  return (
    <div role="status">
      <Loaded query={erasure}>
        {({ data }) => (
          <p>
            {data.status === 'completed' ? labels.erased : labels.erasing} <ErasureStatus erasure={data} />{' '}
            {labels.erasedCounts(data.calls, data.recipients)}
          </p>
        )}
      </Loaded>
    </div>
  );
}
