import { useEffect, useRef } from 'react';
import { api, type Schemas } from '../api/client';
import { texts } from '../texts';
import { findSentence, findStatus } from './call-sentence';
import { CallStatus } from './call-status';

const POLL_MS = 1_000;

const isEnd = ({ kind }: Schemas['TimelineEntryDto']) => kind === 'ended' || kind === 'failed';

interface Props {
  id: string;
  /** Whether what had the focus was just removed. */
  takesFocus?: boolean;
}

/** The status of a call with the sentence about its last step, until it ends. */
export function CallProgress({ id, takesFocus = false }: Props) {
  const news = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (takesFocus) news.current?.focus();
  }, [takesFocus]);
  const params = { params: { path: { call_id: id } } };
  const timeline = api.useQuery('get', '/api/calls/{call_id}/timeline', params, {
    refetchInterval: ({ state }) => (state.data?.data.some(isEnd) ? false : POLL_MS),
  });
  const status = timeline.data && findStatus(timeline.data.data);
  return (
    <p ref={news} tabIndex={-1} role="status">
      {status ? <CallStatus status={status} /> : texts.common.loading}{' '}
      {timeline.data && findSentence(timeline.data.data)}
    </p>
  );
}
