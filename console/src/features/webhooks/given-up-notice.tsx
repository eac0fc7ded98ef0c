import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../api/client';
import { dismissGivenUpWebhooks, readGivenUpWebhooks } from '../../api/given-up-webhooks';
import { PAGE_SIZE } from '../../api/read-pages';
import { Button } from '../../ui/button';
import { FailureNotice } from '../../ui/failure-notice';
import { momentText } from '../../ui/moment';
import { texts } from '../../texts';
import { ReplayDialog, ReplayProgress, ReplayResult } from './replay-parts';
import { useReplay } from './use-replay';
import styles from './webhooks.module.css';

const labels = texts.webhooks;
const { webhooksGivenUp, webhooksGivenUpAdvice } = texts.overview.problems;

/** The webhooks that are sent again at once are on no more pages. */
const MAX_PAGES = 10;

interface Props {
  /** The latest one; undefined: there is none. */
  latest: Schemas['DeliveryDto'] | undefined;
  total: number;
  /** Called when some were sent again, or dismissed. */
  onSent: () => void;
}

/** The webhooks that were given up, and a button that sends them all again. Without any, it says how webhooks are sent. */
export function GivenUpNotice({ latest, total, onSent }: Props) {
  const { replay, start, stop } = useReplay(onSent);
  const [isAsked, setAsked] = useState(false);
  const dismiss = useMutation({ mutationFn: dismissGivenUpWebhooks, onSuccess: onSent });
  const at = latest && (latest.given_up_at ?? latest.created_at);
  const count = Math.min(total, PAGE_SIZE * MAX_PAGES);
  return (
    <>
      {!at && !replay?.isOver && <p>{labels.intro}</p>}
      {at && (
        <div className={styles.givenUp}>
          <strong>{webhooksGivenUp(total)}</strong>
          {replay?.isOver === false ? (
            <>
              <Button onClick={stop}>{labels.stop}</Button>
              <ReplayProgress replay={replay} />
            </>
          ) : (
            <>
              <Button needs="operate" variant="quiet" onClick={() => setAsked(true)}>
                {labels.replayAll}
              </Button>
              <Button needs="operate" variant="quiet" act={dismiss} onClick={() => dismiss.mutate(at)}>
                {labels.dismiss}
              </Button>
            </>
          )}
          <Link href="/webhooks?status=failed&sortBy=given_up_at">{labels.showGivenUp}</Link>
        </div>
      )}
      {dismiss.isError && <FailureNotice error={dismiss.error} />}
      {replay?.isOver && <ReplayResult replay={replay} getRest={labels.replayRestAll} />}
      {isAsked && (
        <ReplayDialog
          count={count}
          more={[
            at && webhooksGivenUpAdvice(momentText(at)),
            count < total && labels.replayOnly(count, total),
          ]
            .filter(Boolean)
            .join(' ')}
          run={async () => {
            const deliveries = await readGivenUpWebhooks(MAX_PAGES);
            void start(deliveries.map(({ delivery_id }) => delivery_id));
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
