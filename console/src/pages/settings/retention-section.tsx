import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { DoneNotice } from '../../components/done-notice';
import { TextField } from '../../components/fields';
import { Loaded } from '../../components/loaded';
import { Section } from '../../components/page';
import { texts } from '../../texts';
import styles from './settings.module.css';

type Retention = Schemas['RetentionDto'];

const labels = texts.retention;
const FIELDS = ['transcripts_days', 'recordings_days', 'calls_days'] as const;

/** After how many days what calls leave behind is removed. */
export function RetentionSection() {
  const queries = useQueryClient();
  const retention = api.useQuery('get', '/api/workspace/retention');
  const [asked, setAsked] = useState<Retention>();
  const [saved, setSaved] = useState<Retention>();
  const save = async (body: Retention) => {
    await client.PUT('/api/workspace/retention', { body });
    await queries.invalidateQueries({ queryKey: ['get', '/api/workspace/retention'] });
    setSaved(body);
  };
  return (
    <Section title={labels.title}>
      <p className={styles.muted}>{labels.text}</p>
      {saved && <DoneNotice key={JSON.stringify(saved)}>{labels.saved}</DoneNotice>}
      <Loaded query={retention}>
        {({ data }) => <RetentionForm key={JSON.stringify(data)} retention={data} onSubmit={setAsked} />}
      </Loaded>
      {asked && (
        <ConfirmDialog
          title={labels.confirmTitle}
          text={labels.confirm(partsOf(asked))}
          action={labels.save}
          run={() => save(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  );
}

const partsOf = (retention: Retention) =>
  FIELDS.flatMap((name) => {
    const days = retention[name];
    return days === null ? [] : labels.part(labels.fields[name], days);
  }).join(', ') || labels.nothing;

interface FormProps {
  retention: Retention;
  onSubmit: (retention: Retention) => void;
}

function RetentionForm({ retention, onSubmit }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const daysOf = (name: string) => {
      const text = form.get(name);
      return text ? Number(text) : null;
    };
    onSubmit({
      transcripts_days: daysOf('transcripts_days'),
      recordings_days: daysOf('recordings_days'),
      calls_days: daysOf('calls_days'),
    });
  };
  return (
    <form onSubmit={submit} className={styles.row}>
      {FIELDS.map((name) => (
        <TextField
          key={name}
          label={labels.fields[name]}
          name={name}
          type="number"
          min={1}
          max={36_500}
          step={1}
          defaultValue={retention[name] ?? ''}
        />
      ))}
      <Button type="submit">{labels.save}</Button>
    </form>
  );
}
