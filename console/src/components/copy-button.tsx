import { useState } from 'react';
import { texts } from '../texts';
import { Button } from './button';

interface Props {
  text: string;
  label?: string;
}

export function CopyButton({ text, label = texts.common.copy }: Props) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Button onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
      <span aria-live="polite">{isCopied ? texts.common.copied : label}</span>
    </Button>
  );
}
