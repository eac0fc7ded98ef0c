import type { UseMutationResult } from '@tanstack/react-query';
import { type ComponentProps, type FormEvent, useEffect, useRef } from 'react';
import { ApiFailure } from '../../api/failure';
import { Button } from '../../components/button';
import { FailureNotice } from '../../components/failure-notice';
import { TextField } from '../../components/fields';
import { formValues } from '../../components/form-values';
import styles from './overview.module.css';

interface Props {
  text: string;
  field: ComponentProps<typeof TextField> & { name: string };
  /** Whether the form of the step before has just gone, and the focus with it. */
  takesFocus?: boolean;
  action: string;
  act: Pick<UseMutationResult<void, Error, never>, 'error' | 'isError' | 'isPending'>;
  onSubmit: (value: string) => void;
}

/** A step that needs one text. */
export function StepForm({ text, field, takesFocus = false, action, act, onSubmit }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (takesFocus) form.current?.querySelector('input')?.focus();
  }, [takesFocus]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(formValues(event.currentTarget)[field.name] ?? '');
  };
  const problem = act.error instanceof ApiFailure ? act.error.of(field.name) : undefined;
  return (
    <>
      <p className={styles.muted}>{text}</p>
      <form ref={form} onSubmit={submit} className={styles.form}>
        <TextField {...field} problem={problem} required />
        <Button variant="primary" type="submit" isBusy={act.isPending}>
          {action}
        </Button>
      </form>
      {act.isError && problem === undefined && <FailureNotice error={act.error} />}
    </>
  );
}
