import { useMutation } from '@tanstack/react-query';
import { api, client, type Schemas } from '../../../api/client';
import { texts } from '../../../texts';
import { Button } from '../../../ui/button';
import { FailureNotice } from '../../../ui/failure-notice';
import { Allowed } from '../../../ui/rights';
import styles from './call.module.css';

const labels = texts.call.noRecording;

type Call = Schemas['CallDetailDto'];

/** Says why a call has no recording. An agent that still does not record can be told to. */
export function NoRecording({ call }: { call: Call }) {
  const params = { params: { path: { agent_id: call.agent.id } } };
  const { callConfig } = call.agent_config as Pick<Schemas['AgentDto'], 'callConfig'>;
  const isOff = !callConfig.recordingEnabled;
  const enabled = isOff && !call.agent.deleted;
  const found = api.useQuery('get', '/api/agents/{agent_id}', params, { enabled });
  const [agent] = found.data?.data ?? [];
  const turnOn = useMutation({
    mutationFn: async () => {
      if (!agent) return;
      const { type } = agent;
      await client.PUT('/api/agents/{agent_id}', {
        ...params,
        body: { type, callConfig: { recordingEnabled: true } },
      });
      await found.refetch();
    },
  });
  if (turnOn.isSuccess) return <p role="status">{labels.turnedOn}</p>;
  if (!isOff) return <p className={styles.muted}>{labels.none}</p>;
  if (!agent || agent.callConfig.recordingEnabled) return <p className={styles.muted}>{labels.wasOff}</p>;
  return (
    <>
      <p className={styles.muted}>
        {labels.off}{' '}
        <Allowed to="administer">
          <Button isBusy={turnOn.isPending} onClick={() => turnOn.mutate()}>
            {labels.turnOn}
          </Button>
        </Allowed>
      </p>
      {turnOn.isError && <FailureNotice error={turnOn.error} />}
    </>
  );
}
