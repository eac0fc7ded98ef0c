import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { api, client } from '../../api/client';
import { Button, buttonClass } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Facts } from '../../ui/facts';
import { FailureNotice } from '../../ui/failure-notice';
import { Loaded } from '../../ui/loaded';
import { Page, Section } from '../../ui/page';
import { TimeText } from '../../ui/time-text';
import { useIdempotencyKey } from '../../ui/use-idempotency-key';
import { texts } from '../../texts';
import styles from './template.module.css';

const labels = texts.templates;

export default function TemplatePage() {
  const { id = '' } = useParams();
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const params = { path: { template_id: id } };
  const template = api.useQuery('get', '/api/prompt-templates/{template_id}', { params });
  const found = template.data?.data;
  const getKey = useIdempotencyKey();
  const talk = useMutation({
    mutationFn: ({ name }: { name: string }) => {
      const body = { type: 'outbound' as const, name, templateId: id };
      return client.POST('/api/agents', { params: { header: { 'Idempotency-Key': getKey(body) } }, body });
    },
    onSuccess: ({ data }) => data && navigate(`/agents/${data.data._id}/talk`),
  });
  const isOwn = found?.owner === 'workspace';
  return (
    <Page
      title={found?.name ?? labels.title}
      actions={
        found && (
          <>
            <Button variant="primary" act={talk} onClick={() => talk.mutate(found)}>
              {texts.agent.talk}
            </Button>
            <Link className={buttonClass()} href={`/agents?template=${encodeURIComponent(id)}`}>
              {labels.createAgent}
            </Link>
            {isOwn && (
              <Button variant="danger" onClick={() => setDeleting(true)}>
                {labels.delete}
              </Button>
            )}
          </>
        )
      }
    >
      {talk.isError && <FailureNotice error={talk.error} />}
      <Loaded query={template}>
        {({ data }) => (
          <>
            <p className={styles.muted}>{labels.talkText}</p>
            <Facts
              facts={[
                { name: labels.columns.owner, value: labels.owners[data.owner] },
                { name: labels.category, value: [data.category].flat().join(', ') },
                { name: labels.variables, value: data.dynamic_variables.join(', ') },
                { name: labels.columns.created, value: <TimeText at={data.createdAt} /> },
                { name: labels.id, value: <code>{data.template_id}</code> },
              ]}
            />
            {!isOwn && <p className={styles.muted}>{labels.ofPlatform}</p>}
            <Section title={labels.greeting}>
              <p className={styles.text}>{data.greeting}</p>
            </Section>
            <Section title={labels.prompt}>
              <p className={styles.text}>{data.prompt}</p>
            </Section>
          </>
        )}
      </Loaded>
      {isDeleting && found && (
        <ConfirmDialog
          title={labels.deleteTitle(found.name)}
          text={labels.deleteText(found.name)}
          action={labels.delete}
          run={async () => {
            await client.DELETE('/api/prompt-templates/{template_id}', { params });
            navigate('/templates');
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  );
}
