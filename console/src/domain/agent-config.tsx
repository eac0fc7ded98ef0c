import { texts } from '../texts';
import styles from './agent-config.module.css';
import { CopyButton } from '../ui/copy-button';
import { type Fact, Facts } from '../ui/facts';
import { isGroupOfSettings, settingName, type Settings, settingText } from './setting-text';

/** A text longer than this is collapsed. */
const FOLD = 160;
const BEGINNING = 80;

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
const listFacts = (values: Settings, parent = ''): Fact[] =>
  Object.entries(values)
    .map(([name, value]) => ({ name: settingName(parent + name), text: settingText(parent + name, value) }))
    .filter(({ text }) => text !== '')
    .map(({ name, text }) => ({ name, value: <LongText text={text} /> }));

/** The configuration of an agent with the names of its form, an object as a group, and its JSON to copy. */
export function ConfigView({ config }: { config: Settings }) {
  const entries = Object.entries(config);
  const groups = entries.filter((entry): entry is [string, Settings] => isGroupOfSettings(entry[1]));
  return (
    <div className={styles.config}>
      <div>
        <CopyButton text={JSON.stringify(config, null, 2)} label={texts.common.copyJson} />
      </div>
      <Facts
        facts={listFacts(Object.fromEntries(entries.filter(([, value]) => !isGroupOfSettings(value))))}
      />
      {groups
        .map(([name, values]) => ({ name, facts: listFacts(values, `${name}.`) }))
        .filter(({ facts }) => facts.length > 0)
        .map(({ name, facts }) => (
          <section key={name}>
            <h3>{settingName(name)}</h3>
            <Facts facts={facts} />
          </section>
        ))}
    </div>
  );
}
