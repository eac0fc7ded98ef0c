import {
  type ComponentProps,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useMemo,
} from 'react';
import styles from './fields.module.css';

interface Labelled {
  label: string;
  /** The text below the control. */
  help?: ReactNode;
  /** The reason why the value is refused. */
  problem?: string;
}

interface FrameProps extends Labelled {
  id: string;
  children: ReactNode;
}

const Frame = ({ id, label, help, problem, children }: FrameProps) => (
  <div className={styles.field}>
    <label htmlFor={id}>{label}</label>
    {children}
    {help && (
      <p id={`${id}-help`} className={styles.help}>
        {help}
      </p>
    )}
    {problem && (
      <p id={`${id}-problem`} className={styles.problem}>
        {problem}
      </p>
    )}
  </div>
);

const described = (id: string, { help, problem }: Omit<Labelled, 'label'>) => ({
  id,
  'aria-invalid': problem !== undefined || undefined,
  'aria-describedby':
    [help && `${id}-help`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined,
});

export interface Choice {
  value: string;
  label: string;
}

interface TextFieldProps extends Labelled, Omit<ComponentProps<'input'>, 'list'> {
  /** The unit of a number, which stands beside it. */
  unit?: string;
  /** Values that the browser offers. Others can be entered, too. */
  suggestions?: Choice[];
}

export function TextField({ label, help, problem, unit, suggestions = [], ...rest }: TextFieldProps) {
  const id = useId();
  const { 'aria-describedby': others, ...description } = described(id, { help, problem });
  const control = (
    <input
      dir="auto"
      {...rest}
      {...description}
      list={suggestions.length > 0 ? `${id}-list` : undefined}
      aria-describedby={[unit && `${id}-unit`, others].filter(Boolean).join(' ') || undefined}
      className={styles.control}
    />
  );
  return (
    <Frame {...{ id, label, help, problem }}>
      {unit ? (
        <div className={styles.measure}>
          {control}
          <span id={`${id}-unit`}>{unit}</span>
        </div>
      ) : (
        control
      )}
      {suggestions.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggestions.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </datalist>
      )}
    </Frame>
  );
}

export function TextArea({
  label,
  help,
  problem,
  ...rest
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Frame {...{ id, label, help, problem }}>
      <textarea dir="auto" {...rest} {...described(id, { help, problem })} className={styles.control} />
    </Frame>
  );
}

interface SelectProps extends Labelled, SelectHTMLAttributes<HTMLSelectElement> {
  choices: Choice[];
  /** The label of the choice ''. Left out: there is no such choice. */
  any?: string;
}

export function SelectField({ label, help, problem, choices, any, ...rest }: SelectProps) {
  const id = useId();
  // There may be hundreds, such as time zones.
  const options = useMemo(
    () =>
      choices.map(({ value, label: text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      )),
    [choices],
  );
  return (
    <Frame {...{ id, label, help, problem }}>
      <select {...rest} {...described(id, { help, problem })} className={styles.control}>
        {any !== undefined && <option value="">{any}</option>}
        {options}
      </select>
    </Frame>
  );
}

export function CheckField({ label, help, problem, ...rest }: Labelled & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input type="checkbox" {...rest} {...described(id, { help, problem })} />
      <label htmlFor={id}>{label}</label>
      {help && (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
