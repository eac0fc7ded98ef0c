import { useEffect, useRef } from 'react';
import { type Choice, TextField } from '../fields';
import { inputText } from '../moment';

interface Props {
  name: string;
  label: string;
  type?: string;
  /** The value in the address. */
  value: string;
  maxLength?: number;
  suggestions?: Choice[];
  onFocus?: () => void;
  onApply: (value: string) => void;
}

const isMoment = (value: string) => /(Z|[+-]\d\d:\d\d)$/.test(value);

/** A field of a filter. It applies when it loses the focus or its form is sent, and shows the value of the address. */
export function FilterField({ value, onApply, type = 'text', ...rest }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const shown = type === 'datetime-local' && isMoment(value) ? inputText(value) : value;
  useEffect(() => {
    if (input.current) input.current.value = shown;
  }, [shown]);
  return (
    <TextField
      {...rest}
      ref={input}
      type={type}
      defaultValue={shown}
      onBlur={({ target }) => {
        // An incomplete time has an empty value, which would clear the filter.
        if (target.value !== shown && !target.validity.badInput) onApply(target.value);
      }}
    />
  );
}
