import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { Button } from '../../ui/button';
import { DoneNotice } from '../../ui/done-notice';
import { FailureNotice } from '../../ui/failure-notice';
import { SelectField } from '../../ui/fields';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { texts } from '../../texts';
import styles from './settings.module.css';

type Setting = Schemas['WorkspacePublishingDto'];

const labels = texts.publishing;

/** When calls use new versions of the agents that have no setting of their own. */
export function PublishingSection() {
  const publishing = api.useQuery('get', '/api/workspace/publishing');
  const save = useMutation({
    mutationFn: async (body: Setting) => {
      await client.PUT('/api/workspace/publishing', { body });
      await publishing.refetch();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate({ publish: new FormData(event.currentTarget).get('publish') as Setting['publish'] });
  };
  return (
    <Section title={labels.title}>
      <p className={styles.muted}>{labels.workspaceText}</p>
      {save.isSuccess && <DoneNotice key={save.submittedAt}>{labels.saved}</DoneNotice>}
      {save.isError && <FailureNotice error={save.error} />}
      <Loaded query={publishing}>
        {({ data: { publish } }) => (
          <form key={publish} onSubmit={submit} className={styles.row}>
            <SelectField
              label={labels.changeTitle}
              name="publish"
              defaultValue={publish}
              choices={Object.entries(labels.choices).map(([value, label]) => ({ value, label }))}
            />
            <Button needs="administer" variant="primary" type="submit" act={save}>
              {labels.save}
            </Button>
          </form>
        )}
      </Loaded>
    </Section>
  );
}
