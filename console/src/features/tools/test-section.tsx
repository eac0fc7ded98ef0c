import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type Schemas } from '../../api/client';
import { fieldError } from '../../api/failure';
import { Button } from '../../ui/button';
import { FailureNotice } from '../../ui/failure-notice';
import { Facts } from '../../ui/facts';
import { SelectField, TextArea } from '../../ui/fields';
import { Section } from '../../ui/page';
import { texts } from '../../texts';
import styles from './tools.module.css';

const labels = texts.tools.test;

/** The object of a text; undefined: it is none. */
function readObject(text: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
}

/** Sends the stored request of a tool once, and shows what came back. */
export function TestSection({ tool }: { tool: Schemas['ToolDto'] }) {
  const [given, setGiven] = useState('{}');
  const [variables, setVariables] = useState('{}');
  const [chosen, setChosen] = useState(tool.tools[0] ?? '');
  const objects = { arguments: readObject(given), variables: readObject(variables) };
  const test = useMutation({
    mutationFn: async (body: Schemas['TestToolDto']) => {
      const params = { path: { tool_id: tool.tool_id } };
      return (await client.POST('/api/tools/{tool_id}/test', { params, body })).data?.data;
    },
  });
  const run = () =>
    objects.arguments &&
    objects.variables &&
    test.mutate({
      arguments: objects.arguments,
      variables: objects.variables,
      ...(tool.kind === 'mcp' && { tool: chosen }),
    });
  const problemOf = (name: 'arguments' | 'variables') =>
    objects[name] ? fieldError(test.error, name) : texts.schemaForm.problems.json;
  const { data } = test;
  return (
    <Section title={labels.title}>
      <div className={styles.stack}>
        <p>{labels.text}</p>
        {tool.kind === 'mcp' && (
          <SelectField
            label={labels.tool}
            choices={tool.tools.map((value) => ({ value, label: value }))}
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
          />
        )}
        <TextArea
          label={labels.arguments}
          problem={problemOf('arguments')}
          rows={3}
          spellCheck={false}
          value={given}
          onChange={({ target }) => setGiven(target.value)}
        />
        <TextArea
          label={labels.variables}
          problem={problemOf('variables')}
          rows={1}
          spellCheck={false}
          value={variables}
          onChange={({ target }) => setVariables(target.value)}
        />
        <Button act={test} onClick={run}>
          {labels.act}
        </Button>
        {test.isError && <FailureNotice error={test.error} />}
        <div role="status">
          {data && (
            <>
              <Facts
                facts={[
                  { name: labels.status, value: data.status },
                  { name: labels.ms, value: texts.webhooks.milliseconds(data.ms) },
                  { name: labels.error, value: data.error },
                  {
                    name: labels.found,
                    value: Object.keys(data.variables).length > 0 && JSON.stringify(data.variables),
                  },
                ]}
              />
              {data.body !== '' && (
                <pre className={styles.code} tabIndex={0} role="region" aria-label={labels.body}>
                  {data.body}
                </pre>
              )}
            </>
          )}
        </div>
      </div>
    </Section>
  );
}
