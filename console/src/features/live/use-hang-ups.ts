import { useRef, useState } from 'react';
import { client } from '../../api/client';
import { ApiFailure } from '../../api/failure';

/** The number of requests at once. */
const AT_ONCE = 4;

export interface Refusal {
  call_id: string;
  error: unknown;
}

export interface HangUps {
  total: number;
  /** The ids of the calls whose hang-up the server has accepted. */
  done: string[];
  refused: Refusal[];
  isOver: boolean;
}

const isSilent = (error: unknown) => error instanceof ApiFailure && error.isSilent;

/**
 * Hangs up calls until all are requested or refused, the server does not answer or the user stops it.
 * @param onOver gets the ids of the calls that are hung up
 */
export function useHangUps(onOver: (done: string[]) => void) {
  const [hangUps, setHangUps] = useState<HangUps>();
  const isStopped = useRef(false);
  const start = async (ids: string[]) => {
    isStopped.current = false;
    const done: string[] = [];
    const refused: Refusal[] = [];
    const show = (isOver: boolean) =>
      setHangUps({ total: ids.length, done: [...done], refused: [...refused], isOver });
    const waiting = [...ids];
    const run = async () => {
      for (let call_id = waiting.shift(); call_id !== undefined; call_id = waiting.shift()) {
        try {
          await client.POST('/api/calls/{call_id}/hangup', { params: { path: { call_id } } });
          done.push(call_id);
        } catch (error) {
          refused.push({ call_id, error });
          if (isSilent(error)) isStopped.current = true;
        }
        if (isStopped.current) waiting.length = 0;
        show(false);
      }
    };
    show(false);
    await Promise.all(Array.from({ length: AT_ONCE }, run));
    show(true);
    onOver(done);
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { hangUps, start, stop };
}
