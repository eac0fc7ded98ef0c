import { useRef, useState } from 'react';
import { resendWebhook } from '../../api/given-up-webhooks';

export interface Replay {
  total: number;
  /** The ids of the webhooks that are sent again. */
  done: string[];
  isOver: boolean;
  error?: unknown;
}

/** Sends webhooks again, one after the other, until all are sent, one is refused or the reader stops it. */
export function useReplay(onOver: (done: string[]) => void) {
  const [replay, setReplay] = useState<Replay>();
  const isStopped = useRef(false);
  const start = async (ids: string[]) => {
    isStopped.current = false;
    const done: string[] = [];
    let error: unknown;
    setReplay({ total: ids.length, done: [], isOver: false });
    for (const delivery_id of ids) {
      if (isStopped.current) break;
      try {
        await resendWebhook(delivery_id);
      } catch (caught) {
        error = caught;
        break;
      }
      done.push(delivery_id);
      setReplay({ total: ids.length, done: [...done], isOver: false });
    }
    setReplay({ total: ids.length, done, isOver: true, error });
    onOver(done);
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { replay, start, stop };
}
