import { useQuery } from '@tanstack/react-query';
import { client, type Schemas } from '../../api/client';

type Turn = Schemas['TranscriptTurnDto'];

export type Line = Pick<Turn, 'speaker' | 'text'>;

const POLL_MS = 5_000;

let last: Promise<unknown> = Promise.resolve();

/** Runs one reading after the other, because a workspace may read only two transcripts at once. */
function readInTurn<Result>(read: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  const result = last.then(() => {
    signal.throwIfAborted();
    return read();
  });
  last = result.catch(() => undefined);
  return result;
}

const isSaid = ({ speaker, text }: Turn) => (speaker === 'agent' || speaker === 'user') && text !== '';

async function readLine(call_id: string, signal: AbortSignal): Promise<Line | null> {
  const params = { path: { call_id } };
  const { data } = await client.GET('/api/calls/{call_id}/transcript', { params, signal });
  const turn = data?.data.turns.findLast(isSaid);
  return turn ? { speaker: turn.speaker, text: turn.text } : null;
}

/** The last line of a connected call, as far as its runtime has reported it; null: there is none yet. */
export const useLastLine = (call_id: string) =>
  useQuery({
    queryKey: ['last line', call_id],
    queryFn: ({ signal }) => readInTurn(() => readLine(call_id, signal), signal),
    refetchInterval: POLL_MS,
    gcTime: 60_000,
    // The next reading follows soon, and others wait behind this one.
    retry: false,
  });
