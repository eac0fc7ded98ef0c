import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Schemas } from '../api/client';
import { ApiFailure, fieldError } from '../api/failure';
import { texts } from '../texts';
import { Button } from '../ui/button';
import { TextArea } from '../ui/fields';
import { FormDialog } from '../ui/form-dialog';
import { formValues } from '../ui/form-values';
import { Loaded } from '../ui/loaded';
import { Notice } from '../ui/notice';
import { Section } from '../ui/page';
import { TimeText } from '../ui/time-text';
import { actorName } from './actor-name';
import styles from './note-section.module.css';

type Note = Schemas['NoteDto'];

const labels = texts.people.note;

/** The queries of notes. */
export const NOTES = { queryKey: ['get', '/api/notes'] };

const MAX_LENGTH = 2_000;

const readNote = (number: string) => ({ params: { query: { phone_number: number } } });

/** The text that users have written about the person with a number. */
export function NoteSection({ number }: { number: string }) {
  const [isOpen, setOpen] = useState(false);
  const [done, setDone] = useState('');
  const note = api.useQuery('get', '/api/notes', readNote(number), { staleTime: 0 });
  const onDone = async () => {
    await note.refetch();
    setDone(labels.done);
  };
  return (
    <Section
      title={labels.title}
      actions={
        note.data && (
          <Button needs="operate" onClick={() => setOpen(true)}>
            {note.data.data.text === '' ? labels.write : labels.change}
          </Button>
        )
      }
    >
      <Loaded query={note}>
        {({ data }) => (data.text === '' ? <p>{labels.none}</p> : <NoteText note={data} />)}
      </Loaded>
      <p role="status" className="visually-hidden">
        {done}
      </p>
      {isOpen && note.data && (
        <NoteDialog note={note.data.data} onDone={onDone} onClose={() => setOpen(false)} />
      )}
    </Section>
  );
}

const NoteText = ({ note: { text, updated_by, updated_at } }: { note: Note }) => (
  <>
    <p dir="auto" className={styles.text}>
      {text}
    </p>
    {updated_at && (
      <p className={styles.author}>
        {actorName(updated_by)}, <TimeText at={updated_at} />
      </p>
    )}
  </>
);

interface Props {
  note: Note;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Writes the note. If somebody else has written meanwhile, it shows their text and waits for another click. */
function NoteDialog({ note, onDone, onClose }: Props) {
  const [seen, setSeen] = useState(note);
  const { phone_number } = note;
  const write = useMutation({
    mutationFn: async (text: string) => {
      await client.PUT('/api/notes', { body: { phone_number, text, updated_at: seen.updated_at } });
      await onDone();
    },
    onSuccess: onClose,
    onError: async (error) => {
      if (!isConflict(error)) return;
      const { data } = await client.GET('/api/notes', readNote(phone_number));
      if (data) setSeen(data.data);
    },
  });
  return (
    <FormDialog
      title={labels.dialog(phone_number)}
      action={labels.save}
      change={write}
      failure={isConflict(write.error) ? null : write.error}
      onSubmit={(form) => write.mutate(formValues(form).text ?? '')}
      onClose={onClose}
    >
      {seen !== note && (
        <div role="alert">
          <Notice kind="warn">
            <p>{seen.text === '' ? labels.removed : labels.conflict}</p>
            {seen.text !== '' && <NoteText note={seen} />}
          </Notice>
        </div>
      )}
      <TextArea
        name="text"
        label={labels.text}
        help={labels.help}
        problem={fieldError(write.error, 'text')}
        defaultValue={note.text}
        rows={6}
        maxLength={MAX_LENGTH}
        autoFocus
      />
    </FormDialog>
  );
}

const isConflict = (error: Error | null) => error instanceof ApiFailure && error.code === 'NOTE_CHANGED';
