import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { texts } from '../../texts';
import { Button } from '../button';
import { ConfirmDialog } from '../confirm-dialog';
import styles from './sections.module.css';

interface Props {
  /** The names of the changed fields. */
  names: string[];
  /** The number of changed fields that cannot be saved. */
  wrong: number;
  act: Pick<UseMutationResult, 'isPending' | 'error'>;
  /** The text that is shown after saving, until the next change. */
  saved?: string;
  onDiscard: () => void;
  children: ReactNode;
}

/** Names the unsaved changes, with buttons that save or discard them. */
export function SaveBar({ names, wrong, act, saved, onDiscard, children }: Props) {
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
      <Button type="submit" variant="primary" act={act} again={texts.schemaForm.saveAgain}>
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
