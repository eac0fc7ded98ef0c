import { type FormEvent, useEffect, useRef } from 'react';
import { texts } from '../../texts';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import styles from './talk.module.css';

const MAX_LENGTH = 4_000;

interface Props {
  help?: string;
  /** Whether the conversation is in writing, and begins here. */
  takesFocus: boolean;
  isDisabled: boolean;
  onSend: (text: string) => void;
}

/** Writes to the agent. */
export function MessageForm({ help, takesFocus, isDisabled, onSend }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (takesFocus) form.current?.querySelector('input')?.focus();
  }, [takesFocus]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { message = '' } = formValues(event.currentTarget);
    if (isDisabled || message.trim() === '') return;
    onSend(message.trim());
    event.currentTarget.reset();
  };
  return (
    <form ref={form} className={styles.message} onSubmit={submit}>
      <TextField
        label={texts.talk.during.message}
        help={help}
        name="message"
        maxLength={MAX_LENGTH}
        autoComplete="off"
        dir="auto"
      />
      <Button type="submit" isBusy={isDisabled}>
        {texts.talk.during.send}
      </Button>
    </form>
  );
}
