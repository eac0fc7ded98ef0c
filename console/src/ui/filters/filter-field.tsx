import { type ComponentProps, type FormEvent, useEffect, useRef } from 'react';
import { TextField } from '../fields';
import { formValues } from '../form-values';
import { inputText } from '../moment';

interface Props extends Omit<ComponentProps<typeof TextField>, 'ref' | 'defaultValue' | 'onBlur'> {
  /** The value in the address. */
  value: string;
  onApply: (value: string) => void;
}

const isMoment = (value: string) => /(Z|[+-]\d\d:\d\d)$/.test(value);

/** A field of a filter. It applies when it loses the focus or its form is sent, and shows the value of the address. */
export function FilterField({ value, onApply, type = 'text', ...rest }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const shown = type === 'datetime-local' && isMoment(value) ? inputText(value) : value;
  const reset = () => {
    if (input.current) input.current.value = shown;
  };
  useEffect(reset, [shown]);
  return (
    <TextField
      {...rest}
      ref={input}
      type={type}
      defaultValue={shown}
      // It closes a menu, which a text that was typed does not outlive.
      onKeyDown={({ key }) => key === 'Escape' && reset()}
      onBlur={({ target }) => {
        // An incomplete time has an empty value, which would clear the filter.
        if (target.value !== shown && !target.validity.badInput) onApply(target.value);
      }}
    />
  );
}

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onApply: (values: Record<string, string>) => void;
}

/** Fields that apply together when Enter is pressed in one of them, which keeps the focus. */
export const FilterFields = ({ onApply, children, ...rest }: FormProps) => (
  <form
    {...rest}
    onSubmit={(event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      onApply(formValues(event.currentTarget));
    }}
  >
    {children}
    {/* Without it, Enter would not send a form of several fields. */}
    <button type="submit" hidden />
  </form>
);
