import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { api, client } from '../../api/client';
import { useDocument } from '../../api/document';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Loaded } from '../../ui/loaded';
import { Page, Section } from '../../ui/page';
import { Allowed, useMay } from '../../ui/rights';
import { texts } from '../../texts';
import { listOffered } from './offered-tools';
import { TestSection } from './test-section';
import { ToolEditor } from './tool-editor';
import styles from './tools.module.css';

const labels = texts.tools;

/** A tool: its fields, a test, and what models see of it. */
export default function ToolPage() {
  const { id = '' } = useParams();
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const mayChange = useMay('administer');
  const params = { params: { path: { tool_id: id } } };
  const document = useDocument();
  const tool = api.useQuery('get', '/api/tools/{tool_id}', params);
  const name = tool.data?.data.name ?? labels.one;
  return (
    <Page
      title={name}
      actions={
        tool.data && (
          <Button needs="administer" variant="danger" onClick={() => setDeleting(true)}>
            {labels.delete}
          </Button>
        )
      }
    >
      <Loaded query={tool}>
        {({ data }) => (
          <>
            <Loaded query={document}>
              {(loaded) => (
                <ToolEditor
                  key={id}
                  tool={data}
                  document={loaded}
                  isReadOnly={!mayChange}
                  refresh={() => tool.refetch()}
                />
              )}
            </Loaded>
            <Allowed to="administer">
              <TestSection key={id} tool={data} />
            </Allowed>
            <Section title={labels.model}>
              {listOffered(data).map((offered) => (
                <div key={offered.name}>
                  <h3>{offered.name}</h3>
                  <p>{offered.description}</p>
                  <pre className={styles.code} tabIndex={0} role="region" aria-label={offered.name}>
                    {JSON.stringify(offered.parameters, null, 2)}
                  </pre>
                </div>
              ))}
            </Section>
          </>
        )}
      </Loaded>
      {isDeleting && (
        <ConfirmDialog
          title={labels.deleteTitle(name)}
          text={labels.deleteText(name)}
          action={labels.delete}
          run={() => client.DELETE('/api/tools/{tool_id}', params)}
          onDone={() => navigate('/tools')}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  );
}
