import { useMutation } from '@tanstack/react-query';
import { api, type Schemas } from '../../../api/client';
import { resendWebhook } from '../../../api/given-up-webhooks';
import { Badge, type Tone } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { FailureNotice } from '../../../ui/failure-notice';
import { Loaded } from '../../../ui/loaded';
import { Section } from '../../../ui/page';
import { Table } from '../../../ui/table/table';
import { TimeText } from '../../../ui/time-text';
import { texts } from '../../../texts';
import styles from './call.module.css';

type Delivery = Schemas['DeliveryDto'];

const TONES: Record<string, Tone> = { delivered: 'good', failed: 'bad', pending: 'warn' };

/** The webhooks of the call, each of which can be sent again. */
export function CallWebhooks({ call }: { call: Schemas['CallDetailDto'] }) {
  const query = { conversation_id: call.call_id };
  const deliveries = api.useQuery(
    'get',
    '/api/webhooks/deliveries',
    { params: { query } },
    { enabled: call.webhook_url !== '' },
  );
  const replay = useMutation({
    mutationFn: resendWebhook,
    onSuccess: () => deliveries.refetch(),
  });
  if (!call.webhook_url) return <p className={styles.muted}>{texts.call.noWebhooks}</p>;
  return (
    <Section title={texts.call.webhooks}>
      {replay.isError && <FailureNotice error={replay.error} />}
      <Loaded query={deliveries}>
        {({ data }) => (
          <Table<Delivery>
            caption={texts.call.webhooks}
            rows={data}
            rowKey={({ delivery_id }) => delivery_id}
            columns={[
              { key: 'type', header: texts.webhooks.event, cell: ({ type }) => type },
              {
                key: 'status',
                header: texts.webhooks.status,
                phone: 'aside',
                cell: ({ status }) => <Badge tone={TONES[status] ?? 'plain'}>{status}</Badge>,
              },
              {
                key: 'at',
                header: texts.webhooks.created,
                cell: ({ created_at }) => <TimeText at={created_at} />,
              },
              {
                key: 'replay',
                header: texts.webhooks.act,
                phone: 'act',
                cell: ({ delivery_id }) => (
                  <Button
                    needs="operate"
                    isBusy={replay.isPending}
                    onClick={() => replay.mutate(delivery_id)}
                  >
                    {texts.call.replay}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
