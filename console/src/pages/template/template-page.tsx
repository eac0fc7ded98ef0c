import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { api, client } from '../../api/client';
import { Button, buttonClass } from '../../components/button';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { Facts } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { Page, Section } from '../../components/page';
import { TimeText } from '../../components/time-text';
import { texts } from '../../texts';
import styles from './template.module.css';

const words = texts.templates;

export default function TemplatePage() {
  const { id = '' } = useParams();
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const params = { path: { template_id: id } };
  const template = api.useQuery('get', '/api/prompt-templates/{template_id}', { params });
  const found = template.data?.data;
  const isOwn = found?.owner === 'workspace';
  return (
    <Page
      title={found?.name ?? words.title}
      actions={
        found && (
          <>
            <Link className={buttonClass('primary')} href={`/agents?template=${encodeURIComponent(id)}`}>
              {words.createAgent}
            </Link>
            {isOwn && (
              <Button variant="danger" onClick={() => setDeleting(true)}>
                {words.delete}
              </Button>
            )}
          </>
        )
      }
    >
      <Loaded query={template}>
        {({ data }) => (
          <>
            <Facts
              facts={[
                { name: words.columns.owner, value: words.owners[data.owner] },
                { name: words.category, value: [data.category].flat().join(', ') },
                { name: words.variables, value: data.dynamic_variables.join(', ') },
                { name: words.columns.created, value: <TimeText at={data.createdAt} /> },
                { name: words.id, value: <code>{data.template_id}</code> },
              ]}
            />
            {!isOwn && <p className={styles.muted}>{words.ofPlatform}</p>}
            <Section title={words.greeting}>
              <p className={styles.text}>{data.greeting}</p>
            </Section>
            <Section title={words.prompt}>
              <p className={styles.text}>{data.prompt}</p>
            </Section>
          </>
        )}
      </Loaded>
      {isDeleting && found && (
        <ConfirmDialog
          title={words.deleteTitle(found.name)}
          text={words.deleteText(found.name)}
          action={words.delete}
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
