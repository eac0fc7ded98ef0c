import { useState } from 'react';
import { texts } from '../texts';
import { Button } from './button';

interface Props {
  text: string;
  label?: string;
  /** Of the field that shows the text, if there is one. */
  fieldId?: string;
}

/** For a browser that does not copy: over plain HTTP, none does. */
function selectText(field: HTMLTextAreaElement | null) {
  field?.focus();
  field?.select();
}

export function CopyButton({ text, label = texts.common.copy, fieldId }: Props) {
  const [state, setState] = useState<'copied' | 'refused'>();
  const refuse = () => {
    setState('refused');
    if (fieldId) document.getElementById(fieldId)?.focus();
  };
  const copy = () => {
    // The types know secure contexts only.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (clipboard) void clipboard.writeText(text).then(() => setState('copied'), refuse);
    else refuse();
  };
  return (
    <>
      <Button onClick={copy}>
        <span aria-live="polite">{state === 'copied' ? texts.common.copied : label}</span>
      </Button>
      {state === 'refused' && !fieldId && (
        <textarea ref={selectText} readOnly rows={1} value={text} aria-label={texts.common.copyByHand} />
      )}
    </>
  );
}
