import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { api, client } from '../../api/client';
import { splitAtVariables } from '../../domain/agent-variables';
import { Button, buttonClass } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Facts } from '../../ui/facts';
import { FailureNotice } from '../../ui/failure-notice';
import { Loaded } from '../../ui/loaded';
import { Page, Section } from '../../ui/page';
import { Allowed } from '../../ui/rights';
import { TimeText } from '../../ui/time-text';
import { useIdempotencyKey } from '../../ui/use-idempotency-key';
import { texts } from '../../texts';
import styles from './template.module.css';

const labels = texts.templates;

/** A text whose variables stand out. */
const TemplateText = ({ text }: { text: string }) => (
  <p className={styles.text}>
    {splitAtVariables(text).map((part, index) =>
      part.isVariable ? <mark key={index}>{part.text}</mark> : part.text,
    )}
  </p>
);

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
            <Allowed to="administer">
              <Link className={buttonClass('primary')} href={`/agents?template=${encodeURIComponent(id)}`}>
                {labels.createAgent}
              </Link>
            </Allowed>
            <Button needs="administer" act={talk} onClick={() => talk.mutate(found)}>
              {texts.agent.talk}
            </Button>
            {isOwn && (
              <Button needs="administer" variant="danger" onClick={() => setDeleting(true)}>
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
            <p className={styles.muted}>
              {labels.talkText} {!isOwn && labels.ofPlatform}
            </p>
            <Section title={labels.greeting}>
              <TemplateText text={data.greeting} />
            </Section>
            <Section title={labels.prompt}>
              <TemplateText text={data.prompt} />
            </Section>
            <Section title={labels.details}>
              <Facts
                facts={[
                  { name: labels.columns.owner, value: labels.owners[data.owner] },
                  { name: labels.category, value: [data.category].flat().join(', ') },
                  { name: labels.variables, value: data.dynamic_variables.join(', ') },
                  { name: labels.columns.created, value: <TimeText at={data.createdAt} /> },
                  { name: labels.id, value: <code>{data.template_id}</code> },
                ]}
              />
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
