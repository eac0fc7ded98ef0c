import { texts } from '../texts';
import styles from './agent-config.module.css';
import { CopyButton } from '../ui/copy-button';
import { type Fact, Facts } from '../ui/facts';
import { toLabel } from '../ui/schema-form/labels';

type Values = Record<string, unknown>;

/** A text longer than this is collapsed. */
const FOLD = 160;
const BEGINNING = 80;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldNames: Record<string, string> = texts.agentForm.labels;

const getName = (path: string) => fieldNames[path] ?? toLabel(path.slice(path.lastIndexOf('.') + 1));

function toText(value: unknown, path: string): string {
  if (typeof value === 'boolean') return value ? texts.common.yes : texts.common.no;
  if (Array.isArray(value)) return value.map((item) => toText(item, path)).join(', ');
  if (isObject(value))
    return Object.entries(value)
      .map(([name, inner]) => `${getName(`${path}.${name}`)}: ${toText(inner, `${path}.${name}`)}`)
      .join('; ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A text. A long text shows its beginning and can be expanded. */
const LongText = ({ text }: { text: string }) =>
  text.length > FOLD || text.includes('\n') ? (
    <details className={styles.folded}>
      <summary>{text.slice(0, BEGINNING).split('\n', 1)} …</summary>
      <p className={styles.text}>{text}</p>
    </details>
  ) : (
    text
  );

/** The facts that have a value. */
const listFacts = (values: Values, parent = ''): Fact[] =>
  Object.entries(values)
    .map(([name, value]) => ({ name: getName(parent + name), text: toText(value, parent + name) }))
    .filter(({ text }) => text !== '')
    .map(({ name, text }) => ({ name, value: <LongText text={text} /> }));

/** The configuration of an agent with the names of its form, an object as a group, and its JSON to copy. */
export function ConfigView({ config }: { config: Values }) {
  const entries = Object.entries(config);
  const groups = entries.filter((entry): entry is [string, Values] => isObject(entry[1]));
  return (
    <div className={styles.config}>
      <div>
        <CopyButton text={JSON.stringify(config, null, 2)} label={texts.common.copyJson} />
      </div>
      <Facts facts={listFacts(Object.fromEntries(entries.filter(([, value]) => !isObject(value))))} />
      {groups
        .map(([name, values]) => ({ name, facts: listFacts(values, `${name}.`) }))
        .filter(({ facts }) => facts.length > 0)
        .map(({ name, facts }) => (
          <section key={name}>
            <h3>{getName(name)}</h3>
            <Facts facts={facts} />
          </section>
        ))}
    </div>
  );
}
