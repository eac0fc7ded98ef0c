import { client, type Schemas } from '../../../api/client';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { useIdempotencyKey } from '../../../ui/use-idempotency-key';
import { texts } from '../../../texts';

const labels = texts.publishing;

interface Props {
  agent: Pick<Schemas['AgentDto'], '_id' | 'name'>;
  onDone: (restored: Schemas['RestoredVersionDto'] | undefined) => Promise<unknown>;
  onClose: () => void;
}

/** Lets calls use the version again that they used before. */
export function RollBackDialog({ agent: { _id: id, name }, onDone, onClose }: Props) {
  const getKey = useIdempotencyKey();
  return (
    <ConfirmDialog
      title={labels.rollBackTitle(name)}
      text={labels.rollBackText}
      action={labels.rollBack}
      run={async () => {
        // A second rollback would take the first one back.
        const params = { path: { agent_id: id }, header: { 'Idempotency-Key': getKey(id) } };
        const { data } = await client.POST('/api/agents/{agent_id}/deployment/rollback', { params });
        await onDone(data?.data);
      }}
      onClose={onClose}
    />
  );
}
