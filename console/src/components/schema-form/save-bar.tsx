import { type ReactNode, useState } from 'react';
import { texts } from '../../texts';
import { Button } from '../button';
import { ConfirmDialog } from '../confirm-dialog';
import styles from './sections.module.css';

interface Props {
  /** Of the changed fields. */
  names: string[];
  /** How many of them cannot be saved. */
  wrong: number;
  isBusy: boolean;
  /** What to say after saving, while nothing is changed. */
  saved?: string;
  onDiscard: () => void;
  children: ReactNode;
}

/** Says what is not saved yet, saves it or discards it. */
export function SaveBar({ names, wrong, isBusy, saved, onDiscard, children }: Props) {
  const [isAsking, setAsking] = useState(false);
  const state =
    names.length > 0 ? texts.schemaForm.unsaved(names.length) : (saved ?? texts.schemaForm.nothingChanged);
  return (
    <>
      {children}
      <p role="status" className={styles.state}>
        {state} {wrong > 0 && <span className={styles.wrong}>{texts.schemaForm.fix(wrong)}</span>}
      </p>
      {names.length > 0 && <Button onClick={() => setAsking(true)}>{texts.schemaForm.discard}</Button>}
      <Button type="submit" variant="primary" isBusy={isBusy}>
        {texts.common.save}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.schemaForm.discardTitle}
          text={texts.schemaForm.discardText(names)}
          action={texts.schemaForm.discard}
          run={() => Promise.resolve(onDiscard())}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
