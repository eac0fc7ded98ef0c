import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { Button } from '../../ui/button';
import { DoneNotice } from '../../ui/done-notice';
import { TextField } from '../../ui/fields';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { texts } from '../../texts';
import { FIELDS, RetentionDialog } from './retention-dialog';
import styles from './settings.module.css';

type Retention = Schemas['RetentionDto'];

const labels = texts.retention;

/** The number of days after which the data of calls is removed. */
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
      <ul className={styles.effects}>
        {labels.effects.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {asked && (
        <RetentionDialog retention={asked} save={() => save(asked)} onClose={() => setAsked(undefined)} />
      )}
    </Section>
  );
}

interface FormProps {
  retention: Retention;
  onSubmit: (retention: Retention) => void;
}

function RetentionForm({ retention, onSubmit }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const readDays = (name: string) => {
      const text = form.get(name);
      return text ? Number(text) : null;
    };
    onSubmit({
      transcripts_days: readDays('transcripts_days'),
      recordings_days: readDays('recordings_days'),
      calls_days: readDays('calls_days'),
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
          unit={labels.unit}
          placeholder={labels.forever}
          defaultValue={retention[name] ?? ''}
        />
      ))}
      <Button variant="primary" needs="administer" type="submit">
        {labels.save}
      </Button>
    </form>
  );
}
