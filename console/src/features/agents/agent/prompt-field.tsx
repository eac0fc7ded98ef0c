import { type ReactNode, useId, useRef, useState } from 'react';
import { texts } from '../../../texts';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextEditor, useTextEditor } from '../../../ui/text-editor/text-editor';
import { countWords, readOutline } from './outline';
import styles from './prompt.module.css';

interface Props {
  label: string;
  help?: string;
  text: string;
  /** The reason why the text is refused. */
  problem?: string;
  maxLength: number;
  /** The names of the variables that calls fill. */
  variables: string[];
  isReadOnly: boolean;
  onChange: (text: string) => void;
  /** The content below the editor. */
  children?: ReactNode;
}

const labels = texts.editor;

/** A prompt with its sections, its variables and its length. */
export function PromptField(props: Props) {
  const { label, help, text, problem, maxLength, variables, isReadOnly, onChange, children } = props;
  const [isFull, setFull] = useState(false);
  const expand = useRef<HTMLButtonElement>(null);
  const id = useId();
  const count = labels.count(countWords(text), text.length, maxLength);
  const handle = useTextEditor({
    label,
    description: [help, count, problem].filter(Boolean).join(' '),
    isInvalid: problem !== undefined,
    isReadOnly,
    variables,
    text,
    onChange,
  });
  const headings = readOutline(text);
  const close = () => {
    setFull(false);
    // The button is in the page again once the dialog has closed.
    requestAnimationFrame(() => expand.current?.focus());
  };
  const toolbar = (
    <div className={styles.tools}>
      <Button variant="quiet" disabled={!handle.editor} onClick={() => handle.editor?.openFind()}>
        {labels.find}
      </Button>
      {!isFull && (
        <Button ref={expand} variant="quiet" onClick={() => setFull(true)}>
          {labels.fullScreen}
        </Button>
      )}
    </div>
  );
  const body = (
    <div className={styles.body} data-full={isFull || undefined}>
      {headings.length > 0 && (
        <nav aria-labelledby={`${id}-outline`} className={styles.outline}>
          <p id={`${id}-outline`} className={styles.outlineTitle}>
            <span aria-hidden="true">{labels.outlineTitle}</span>
            <span className="visually-hidden">{labels.outline(label)}</span>
          </p>
          <ul>
            {headings.map(({ title, level, line }) => (
              <li key={line} data-level={Math.min(level, 3)}>
                <button type="button" dir="auto" onClick={() => handle.editor?.goToLine(line)}>
                  {title}
                </button>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <TextEditor {...handle} />
    </div>
  );
  const footer = (
    <div className={styles.footer}>
      {problem && <p className={styles.problem}>{problem}</p>}
      <p className={styles.help}>{help}</p>
      <p className={styles.count}>{count}</p>
    </div>
  );
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <span className={styles.label}>{label}</span>
        {!isFull && toolbar}
      </div>
      {isFull ? (
        <Dialog title={label} isFull onClose={close}>
          <div className={styles.full}>
            {toolbar}
            {body}
            {footer}
          </div>
        </Dialog>
      ) : (
        <>
          {body}
          {footer}
        </>
      )}
      {children}
    </div>
  );
}
