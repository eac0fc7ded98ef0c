import type { UseMutationResult } from '@tanstack/react-query';
import { type ComponentProps, type FormEvent, useEffect, useRef } from 'react';
import { fieldError } from '../../api/failure';
import { Button } from '../../ui/button';
import { FailureNotice } from '../../ui/failure-notice';
import { TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import styles from './overview.module.css';

interface Props {
  text: string;
  field: ComponentProps<typeof TextField> & { name: string };
  /** Whether the form of the step before was just removed, and the focus with it. */
  takesFocus?: boolean;
  action: string;
  act: Pick<UseMutationResult<void, Error, never>, 'error' | 'isError' | 'isPending'>;
  onSubmit: (value: string) => void;
}

/** The form of a step that has one text field. */
export function StepForm({ text, field, takesFocus = false, action, act, onSubmit }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (takesFocus) form.current?.querySelector('input')?.focus();
  }, [takesFocus]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(formValues(event.currentTarget)[field.name] ?? '');
  };
  const problem = fieldError(act.error, field.name);
  return (
    <>
      <p className={styles.muted}>{text}</p>
      <form ref={form} onSubmit={submit} className={styles.form}>
        <TextField {...field} problem={problem} required />
        <Button variant="primary" type="submit" act={act}>
          {action}
        </Button>
      </form>
      {act.isError && problem === undefined && <FailureNotice error={act.error} />}
    </>
  );
}
